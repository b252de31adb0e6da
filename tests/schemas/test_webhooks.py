"""The signature of webhooks, against the scheme's own example, and against those who would forge one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from schemas.errors import InputError
from schemas.webhooks import TOLERANCE_S, fault_of_address, is_genuine, key_of, signed_headers
from worker.settings import load_settings

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
AT = datetime.fromtimestamp(1614265330, UTC)
BODY = b'{"test": 2432232314}'


def headers() -> dict[str, str]:
    """Those of the example."""
    return signed_headers(key_of(SECRET), "msg_p5jXN8AQM9LWM0D4loKWxJek", AT, BODY)


def test_the_example_of_the_scheme_gives_its_signature() -> None:
    """As published with Standard Webhooks."""
    assert headers()["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert is_genuine(key_of(SECRET), headers(), BODY, AT)


@pytest.mark.parametrize(
    ("changed", "body", "late_s"),
    [
        ({}, BODY + b" ", 0.0),
        ({"webhook-id": "msg_other"}, BODY, 0.0),
        ({"webhook-timestamp": "1614265331"}, BODY, 0.0),
        ({"webhook-timestamp": "now"}, BODY, 0.0),
        ({"webhook-timestamp": "9" * 5000}, BODY, 0.0),
        ({"webhook-signature": ""}, BODY, 0.0),
        ({"webhook-signature": "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}, BODY, 0.0),
        ({}, BODY, TOLERANCE_S + 1),
        ({}, BODY, -TOLERANCE_S - 1),
    ],
)
def test_what_was_changed_or_kept_is_not_genuine(changed: dict[str, str], body: bytes, late_s: float) -> None:
    """Body, id, time or signature; and a post that is played again later."""
    assert not is_genuine(key_of(SECRET), headers() | changed, body, AT + timedelta(seconds=late_s))


def test_one_of_several_signatures_is_enough() -> None:
    """While a secret is changed, a sender may sign with both."""
    two = headers() | {"webhook-signature": f"v1,AAAA {headers()['webhook-signature']}"}
    assert is_genuine(key_of(SECRET), two, BODY, AT)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_short", "whsec_!!!!", SECRET.removeprefix("whsec_"), "x" * 64])
def test_other_forms_of_secrets_are_refused(secret: str) -> None:
    """Too short to be safe, or not what listeners' libraries read."""
    with pytest.raises(ValueError, match=r"base64|form"):
        key_of(secret)


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://hooks.acme.example/deals?key=1", True),
        ("http://127.0.0.1:9000/", True),
        ("http://[::1]:9000/", True),
        ("http://localhost/x", True),
        ("http://hooks.acme.example/", False),
        ("http://localhost.acme.example/", False),
        ("http://10.0.0.1/", False),
        ("https://me:secret@hooks.acme.example/", False),
        ("https:///deals", False),
        ("ftp://hooks.acme.example/", False),
        ("file:///etc/passwd", False),
        ("https://[hooks", False),
        ("https://hooks.acme.example:notaport/", False),
    ],
)
def test_results_go_over_https_except_on_this_machine(url: str, good: bool) -> None:
    """Names that only look like this machine's are others'."""
    assert (fault_of_address(url) is None) == good


def test_settings_want_both_and_say_how_a_secret_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is shown when settings are printed."""
    with pytest.raises(InputError, match="needs DEALWRIGHT_WEBHOOK_SECRET"):
        load_settings(webhook_url="https://hooks.acme.example/")
    with pytest.raises(InputError, match="urandom"):
        load_settings(webhook_url="https://hooks.acme.example/", webhook_secret="hush")
    with pytest.raises(InputError, match="https://"):
        load_settings(webhook_url="http://hooks.acme.example/", webhook_secret=SECRET)
    assert load_settings(webhook_secret=SECRET).webhook_url == ""
    good = load_settings(webhook_url="https://hooks.acme.example/t0ken", webhook_secret=SECRET)
    assert SECRET not in repr(good)
    assert "t0ken" not in repr(good)
