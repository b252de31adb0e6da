"""Uploads that arrive inside a message: bytes become an artifact before the message is stored."""

from __future__ import annotations

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from schemas import ids, state
from schemas.state import UploadRef


def artifact_name(filename: str) -> str:
    """The artifact that an inline upload called `filename` is saved as: shared by the user's sessions."""
    return ids.upload_artifact("inline", filename)


def upload_key(artifact: str) -> state.StateKey[UploadRef]:
    """The state key of an upload."""
    return state.UPLOAD.at(ids.derive("upload", artifact))


class UploadsPlugin(BasePlugin):
    """Saves inline files as artifacts and puts a placeholder where the bytes were; too big ones are not kept at all.

    The same bytes under the same name are not saved twice: they stay the version that they are.
    """

    def __init__(self, max_file_bytes: int) -> None:
        super().__init__(name="uploads")
        self._max_file_bytes = max_file_bytes
        self._arrived: dict[str, list[UploadRef]] = {}

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """The message with placeholders for bytes, or None if it holds none."""
        parts = user_message.parts or []
        if not any(part.inline_data for part in parts):
            return None
        told = [await self._stored(invocation_context, part.inline_data) if part.inline_data else part for part in parts]
        return types.Content(role=user_message.role, parts=told)

    async def before_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> types.Content | None:
        """None; enters in state what arrived with the message."""
        del agent
        for upload in self._arrived.pop(callback_context.invocation_id, []):
            state.write(callback_context.state, __name__, upload_key(upload.artifact), upload)
        return None

    async def _stored(self, context: InvocationContext, blob: types.Blob) -> types.Part:
        data, filename = blob.data or b"", ids.safe_name(blob.display_name or "workbook")
        if len(data) > self._max_file_bytes:
            return types.Part(text=f'[upload "{filename}" refused: over {self._max_file_bytes} bytes]')
        artifact = artifact_name(filename)
        version = await self._version(context, artifact, data, blob.mime_type)
        self._arrived.setdefault(context.invocation_id, []).append(UploadRef(artifact=artifact, version=version, filename=filename))
        return types.Part(text=f'[upload "{filename}", {len(data)} bytes, version {version}]')

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
                app_name=session.app_name, user_id=session.user_id, session_id=session.id, filename=artifact, version=max(versions)
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
