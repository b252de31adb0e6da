"""Uploads that arrive inside a message: bytes become an artifact before the message is stored."""

from __future__ import annotations

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from schemas import ids, state
from schemas.agent_answers import ExtractionTurn
from schemas.state import UploadRef


def artifact_name(filename: str) -> str:
    """The artifact that an inline upload called `filename` is saved as: shared by the user's sessions."""
    return ids.upload_artifact("inline", filename)


def upload_key(artifact: str) -> state.StateKey[UploadRef]:
    """The state key of an upload."""
    return state.UPLOAD.at(ids.derive("upload", artifact))


class UploadsPlugin(BasePlugin):
    """Saves inline files as artifacts and puts a request for the first where they were; too big ones are not kept.

    The same bytes under the same name are not saved twice: they stay the version that they are.
    """

    def __init__(self, max_file_bytes: int) -> None:
        super().__init__(name="uploads")
        self._max_file_bytes = max_file_bytes
        self._arrived: dict[str, list[UploadRef]] = {}

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """The message without bytes, as a turn that names what arrived, or None if it holds no file."""
        parts = user_message.parts or []
        blobs = [part.inline_data for part in parts if part.inline_data]
        if not blobs:
            return None
        kept = [await self._stored(invocation_context, blob) for blob in blobs if not self._too_big(blob)]
        said = [part.text for part in parts if part.text]
        said += [
            f"[{_name(blob)} was refused: over {self._max_file_bytes} bytes]" for blob in blobs if self._too_big(blob)
        ]
        told = ExtractionTurn(
            filename=kept[0].filename if kept else "",
            version=kept[0].version if kept else 0,
            question=" ".join(said)[:2000],
        )
        return types.Content(role="user", parts=[types.Part(text=told.model_dump_json(exclude_defaults=True))])

    async def before_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> types.Content | None:
        """None; enters in state what arrived with the message."""
        del agent
        for upload in self._arrived.pop(callback_context.invocation_id, []):
            state.write(callback_context.state, __name__, upload_key(upload.artifact), upload)
        return None

    def _too_big(self, blob: types.Blob) -> bool:
        return len(blob.data or b"") > self._max_file_bytes

    async def _stored(self, context: InvocationContext, blob: types.Blob) -> UploadRef:
        artifact = artifact_name(_name(blob))
        version = await self._version(context, artifact, blob.data or b"", blob.mime_type)
        upload = UploadRef(artifact=artifact, version=version, filename=_name(blob))
        self._arrived.setdefault(context.invocation_id, []).append(upload)
        return upload

    async def _version(self, context: InvocationContext, artifact: str, data: bytes, mime_type: str | None) -> int:
        service = context.artifact_service
        if service is None:
            raise RuntimeError("uploads need an artifact service")
        session = context.session
        versions = await service.list_versions(
            app_name=session.app_name, user_id=session.user_id, session_id=session.id, filename=artifact
        )
        if versions:
            newest = await service.load_artifact(
                app_name=session.app_name,
                user_id=session.user_id,
                session_id=session.id,
                filename=artifact,
                version=max(versions),
            )
            if newest and newest.inline_data and newest.inline_data.data == data:
                return max(versions)
        return await service.save_artifact(
            app_name=session.app_name,
            user_id=session.user_id,
            session_id=session.id,
            filename=artifact,
            artifact=types.Part(inline_data=types.Blob(data=data, mime_type=mime_type or "application/octet-stream")),
        )


def _name(blob: types.Blob) -> str:
    return ids.safe_name(blob.display_name or "workbook")
