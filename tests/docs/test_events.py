"""infra/events.md says what the schemas say, and the code in it verifies what is posted."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from schemas.results import TYPES
from schemas.webhooks import key_of, signed_headers
from tests.events import PAGE, page

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_page_is_as_the_schemas_are() -> None:
    """Stale: `python tests/events.py` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_type_has_its_section_and_every_topic_its_name() -> None:
    """Nothing that is told is left out."""
    text = page()
    assert all(f"## {kind}\n" in text and f"`{name}`" in text for kind, name in TYPES.items())
    assert "`dealwright-results`" in text


def test_the_code_on_the_page_tells_genuine_posts_from_others() -> None:
    """Run as a reader would paste it."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    names: dict[str, object] = {}
    exec(code[1], names)
    at, body = datetime(2026, 3, 2, tzinfo=UTC), b'{"id": "x"}'
    headers = signed_headers(key_of(SECRET), "x", at, body)
    verify, read = names["is_genuine"], names["key_of"]
    assert callable(verify)
    assert callable(read)
    assert verify(read(SECRET), headers, body, at) is True
    assert verify(read(SECRET), headers, body + b" ", at) is False
