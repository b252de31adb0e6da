"""Terraform's own plan of infra/terraform, made against a stand-in for Google: what would be there, and its rights."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.infra import planning
from tests.infra.planning import Plan
from tests.infra.provider import ROOT

TOPOLOGY = yaml.safe_load((ROOT / "infra" / "topology.yaml").read_text(encoding="utf-8"))
#: The only right on the whole project: Vertex AI has nothing smaller to give it on.
PROJECT_RIGHTS = {"roles/aiplatform.user"}
#: Google has no role that only looks at queues and at who has which right on them.
LOOKS = "google_project_iam_custom_role.name"
#: The narrowest of Google's predefined roles for what each account does.
RIGHTS = PROJECT_RIGHTS | {
    "roles/cloudkms.cryptoKeyEncrypterDecrypter",
    "roles/iam.serviceAccountTokenCreator",
    "roles/iap.httpsResourceAccessor",
    "roles/pubsub.publisher",
    "roles/pubsub.subscriber",
    "roles/run.invoker",
    "roles/secretmanager.secretAccessor",
    "roles/storage.legacyBucketReader",
    "roles/storage.objectCreator",
    "roles/storage.objectViewer",
    LOOKS,
}


IAP, IAP_GRANT = (
    "serviceAccount:service-google_project.number@gcp-sa-iap.iam.gserviceaccount.com",
    "google_iap_web_cloud_run_service",
)


@pytest.fixture(params=["pull_plan", "push_plan"])
def plan(request: pytest.FixtureRequest) -> Plan:
    """Each of the two set-ups."""
    return request.getfixturevalue(request.param)


def grants(plan: Plan) -> list[tuple[str, str, str, str]]:
    """Every grant of a plan: kind of thing, thing, right, and whom it is given to."""
    found = []
    for one in plan.resources:
        if one["type"].endswith("_iam_member"):
            values = one["values"]
            thing = next(
                (values[key] for key in ("topic", "subscription", "bucket", "secret_id") if values.get(key)), ""
            )
            thing = thing or values.get("service_account_id") or values.get("name") or values.get("project") or ""
            found.append((one["type"].removesuffix("_iam_member"), thing, values["role"], values["member"]))
    return found


def test_each_topic_and_subscription_of_the_topology_is_made_as_it_says(plan: Plan) -> None:
    """Names, topics, deadlines, retention, retries and dead letters, all as topology.yaml has them, and no more."""
    topics = {values["name"] for values in plan.of_type("google_pubsub_topic").values()}
    made = {values["name"]: values for values in plan.of_type("google_pubsub_subscription").values()}
    assert topics == {topic["name"] for topic in TOPOLOGY["topics"].values()}
    assert set(made) == {one["name"] for one in TOPOLOGY["subscriptions"].values()}
    for one in TOPOLOGY["subscriptions"].values():
        values = made[one["name"]]
        assert values["topic"] == f"{TOPOLOGY['topics'][one['topic']]['name']}.id"
        assert values["ack_deadline_seconds"] == one["ack_deadline_s"]
        assert values["message_retention_duration"] == f"{one['retention_s']}s"
        assert values["expiration_policy"] == [{"ttl": ""}]
        assert not values["enable_message_ordering"]
        retry, dead = one.get("retry"), one.get("dead_letter")
        waits = (
            [{"minimum_backoff": f"{retry['minimum_s']}s", "maximum_backoff": f"{retry['maximum_s']}s"}]
            if retry
            else []
        )
        assert values["retry_policy"] == waits
        assert [policy["max_delivery_attempts"] for policy in values["dead_letter_policy"]] == (
            [dead["max_deliveries"]] if dead else []
        )


def test_dead_lettering_has_both_rights_for_each_subscription_that_has_it(plan: Plan) -> None:
    """Pub/Sub's own account may publish where dead letters go, and acknowledge where they come from."""
    agent = "serviceAccount:service-google_project.number@gcp-sa-pubsub.iam.gserviceaccount.com"
    given = set(grants(plan))
    with_dead_letters = [
        one for one in plan.of_type("google_pubsub_subscription").values() if one["dead_letter_policy"]
    ]
    assert len(with_dead_letters) == 3
    for one in with_dead_letters:
        target = one["dead_letter_policy"][0]["dead_letter_topic"]
        assert ("google_pubsub_topic", target, "roles/pubsub.publisher", agent) in given
        assert ("google_pubsub_subscription", one["id"], "roles/pubsub.subscriber", agent) in given


def test_dead_letters_are_kept_by_a_subscription(plan: Plan) -> None:
    """A dead topic that nobody subscribes to loses what it is given."""
    subscribed = {one["topic"] for one in plan.of_type("google_pubsub_subscription").values()}
    targets = {
        policy["dead_letter_topic"]
        for one in plan.of_type("google_pubsub_subscription").values()
        for policy in one["dead_letter_policy"]
    }
    assert targets
    assert targets <= subscribed


def test_one_notification_tells_of_finished_uploads_below_the_inbox_alone(plan: Plan) -> None:
    """One kind of event, one prefix, one topic, and Cloud Storage's own account may publish to it."""
    (values,) = plan.of_type("google_storage_notification").values()
    assert values["event_types"] == ["OBJECT_FINALIZE"]
    assert values["object_name_prefix"] == TOPOLOGY["notification"]["prefix"]
    assert values["bucket"] == "acme-deals-dealwright-inbox"
    publishers = {
        member for _, thing, right, member in grants(plan) if thing == values["topic"] and "publisher" in right
    }
    assert publishers == {"google_storage_project_service_account.member"}


def test_buckets_are_private_and_lie_under_one_kind_of_access(plan: Plan) -> None:
    """Each bucket of the topology, no public access, no rights by object."""
    buckets = plan.of_type("google_storage_bucket").values()
    assert {one["name"] for one in buckets} == {f"acme-deals-dealwright-{role}" for role in TOPOLOGY["buckets"]}
    for one in buckets:
        assert one["uniform_bucket_level_access"]
        assert one["public_access_prevention"] == "enforced"
        assert not one["force_destroy"]


def test_every_right_is_one_of_the_few_that_are_needed(plan: Plan) -> None:
    """No owner, editor or admin anywhere; on the project nothing but the model."""
    assert {right for _, _, right, _ in grants(plan)} <= RIGHTS
    assert {right for kind, _, right, _ in grants(plan) if kind == "google_project"} <= PROJECT_RIGHTS
    assert not [one["type"] for one in plan.resources if re.search(r"_iam_(binding|policy)$", one["type"])]


def test_nobody_of_ours_may_delete_or_write_over_what_is_kept(plan: Plan) -> None:
    """Objects are read and added; the inbox's own settings are looked at."""
    given = {(right, thing) for kind, thing, right, _ in grants(plan) if kind == "google_storage_bucket"}
    assert {right for right, _ in given} == {
        f"roles/storage.{name}" for name in ("objectViewer", "objectCreator", "legacyBucketReader")
    }
    assert {thing for right, thing in given if right.endswith("legacyBucketReader")} == {"acme-deals-dealwright-inbox"}


def test_the_account_that_doctor_runs_as_may_look_at_what_doctor_looks_at(plan: Plan) -> None:
    """Each topic, each subscription and the inbox's notifications; it may change none of them."""
    (role,) = plan.of_type("google_project_iam_custom_role").values()
    assert set(role["permissions"]) == {"pubsub.subscriptions.get", "pubsub.topics.get", "pubsub.topics.getIamPolicy"}
    looks = {(kind, thing) for kind, thing, right, member in grants(plan) if right == LOOKS and "worker" in member}
    for kind in ("topic", "subscription"):
        made = plan.of_type(f"google_pubsub_{kind}").values()
        assert {thing for of, thing in looks if of.endswith(kind)} == {values["id"] for values in made}


def test_whoever_serves_pages_signs_links_as_itself(plan: Plan) -> None:
    """Without a key: Google signs for the account, which must be let to make tokens for itself, and for no other."""
    right = "roles/iam.serviceAccountTokenCreator"
    given = {
        (thing.partition(".")[0], member.partition(".")[0]) for _, thing, role, member in grants(plan) if role == right
    }
    assert ("dealwright-web", "dealwright-web") in given
    assert {thing for thing, _ in given} <= {"dealwright-web", "dealwright-pusher"}


def test_each_role_reads_only_the_secrets_that_it_is_given(plan: Plan) -> None:
    """What runs as an account is handed exactly the secrets which that account may read."""
    readable: dict[str, set[str]] = {}
    for kind, thing, _, member in grants(plan):
        if kind == "google_secret_manager_secret":
            readable.setdefault(member.removesuffix(".member"), set()).add(thing.removesuffix(".id"))
    for container, account in containers(plan):
        handed = {source["secret_key_ref"][0]["secret"] for env in container["env"] for source in env["value_source"]}
        assert handed == readable[account]
    assert "dealwright-scheduler" not in readable


def containers(plan: Plan) -> list[tuple[dict[str, Any], str]]:
    """Everything that runs, with the account that it runs as."""
    found = []
    for kind in ("google_cloud_run_v2_worker_pool", "google_cloud_run_v2_service", "google_cloud_run_v2_job"):
        for one in plan.of_type(kind).values():
            template = one["template"][0]
            template = template["template"][0] if kind.endswith("job") else template
            found += [(one, template["service_account"].removesuffix(".email")) for one in template["containers"]]
    return found


def test_everything_runs_the_one_image_and_can_write_only_below_tmp(plan: Plan) -> None:
    """By digest, with /tmp in memory."""
    for container, _ in containers(plan):
        assert container["image"] == planning.VARIABLES["image"]
        assert [mount["mount_path"] for mount in container["volume_mounts"]] == ["/tmp"]


def test_services_scale_to_zero_and_open_to_nobody_by_themselves(plan: Plan) -> None:
    """Callers are those that were named, and Pub/Sub's pusher."""
    assert all(
        one["template"][0]["scaling"][0]["min_instance_count"] == 0
        for one in plan.of_type("google_cloud_run_v2_service").values()
    )
    callers = {member for kind, _, _, member in grants(plan) if kind == "google_cloud_run_v2_service"}
    assert callers <= {IAP, "dealwright-pusher.member"}


def test_people_reach_the_pages_through_iap_where_that_is_wanted(pull_plan: Plan, push_plan: Plan) -> None:
    """A browser that follows a link brings no token: IAP has its people sign in, and calls the pages as itself."""
    people = {(right, member) for kind, _, right, member in grants(push_plan) if kind == IAP_GRANT}
    assert people == {("roles/iap.httpsResourceAccessor", "group:approvers@acme.example")}
    calls = push_plan.of_type("google_cloud_run_v2_service_iam_member").values()
    assert {one["member"] for one in calls if one["name"] == "dealwright-web"} == {IAP}
    behind = {name: one["iap_enabled"] for name, one in push_plan.of_type("google_cloud_run_v2_service").items()}
    assert behind == {'served["web"]': True, 'served["push"]': False}
    assert not [kind for kind, *_ in grants(pull_plan) if kind == IAP_GRANT]
    assert not pull_plan.of_type("google_cloud_run_v2_service")['served["web"]']["iap_enabled"]


def test_apis_are_turned_on_before_what_is_made_with_them(plan: Plan) -> None:
    """Accounts and rights need one too, which a new project lacks."""
    on = {one["service"] for one in plan.of_type("google_project_service").values()}
    assert {"iam.googleapis.com", "pubsub.googleapis.com", "run.googleapis.com"} <= on
    assert ("iap.googleapis.com" in on) == bool(plan.of_type("google_iap_web_cloud_run_service_iam_member"))


def test_pushes_are_signed_for_the_audience_that_the_service_checks(push_plan: Plan) -> None:
    """The subscription's token, the service's audience and the setting that is compared with it are the same."""
    (push,) = [one for sub in push_plan.of_type("google_pubsub_subscription").values() for one in sub["push_config"]]
    service = push_plan.of_type("google_cloud_run_v2_service")['served["push"]']
    told = {env["name"]: env["value"] for env in service["template"][0]["containers"][0]["env"]}
    (token,) = push["oidc_token"]
    assert push["push_endpoint"].startswith(service["uri"])
    assert [token["audience"]] == service["custom_audiences"] == [told["DEALWRIGHT_PUSH_AUDIENCE"]]
    assert token["service_account_email"] == told["DEALWRIGHT_PUSH_SERVICE_ACCOUNT"]
    assert service["ingress"] == "INGRESS_TRAFFIC_INTERNAL_ONLY"


def test_nobody_pulls_what_is_pushed(pull_plan: Plan, push_plan: Plan) -> None:
    """With push, no account of ours may take from the subscription of uploads."""

    def takers(plan: Plan) -> set[str]:
        taking = ("dealwright-uploads-worker.id", "roles/pubsub.subscriber")
        return {member for _, thing, right, member in grants(plan) if (thing, right) == taking}

    def asked_for(plan: Plan) -> list[str]:
        return plan.of_type("google_cloud_run_v2_worker_pool")['pull["work"]']["template"][0]["containers"][0]["args"]

    assert "dealwright-worker.member" in takers(pull_plan)
    assert "uploads" in asked_for(pull_plan)
    assert "dealwright-worker.member" not in takers(push_plan)
    assert "uploads" not in asked_for(push_plan)


def test_the_database_has_no_public_address_and_is_not_deleted_by_accident(plan: Plan) -> None:
    """Private, encrypted on the way, backed up to any moment of a week."""
    (one,) = plan.of_type("google_sql_database_instance").values()
    settings = one["settings"][0]
    assert settings["ip_configuration"][0]["ipv4_enabled"] is False
    assert settings["ip_configuration"][0]["ssl_mode"] == "ENCRYPTED_ONLY"
    assert settings["backup_configuration"][0]["point_in_time_recovery_enabled"]
    assert one["deletion_protection"]
    assert settings["deletion_protection_enabled"]


def test_no_password_or_secret_is_in_the_plan(plan: Plan) -> None:
    """What is only ever written stands in no plan, and so in no state."""
    for kind in ("google_sql_user", "google_secret_manager_secret_version"):
        for values in plan.of_type(kind).values():
            assert not {key for key in values if key in ("password", "secret_data") and values[key]}
            assert all(values[key] is None for key in values if key.endswith("_wo"))


def test_each_alert_tells_somebody_and_is_about_something_that_is_made(plan: Plan) -> None:
    """Channels are set, and each condition names a subscription, a metric of ours or the database of this plan."""
    metrics = {values["name"] for values in plan.of_type("google_logging_metric").values()}
    subscriptions = {values["name"] for values in plan.of_type("google_pubsub_subscription").values()}
    watched: set[str] = set()
    for alert in plan.of_type("google_monitoring_alert_policy").values():
        assert alert["notification_channels"] == planning.VARIABLES["notification_channels"]
        for condition in alert["conditions"]:
            one = (condition["condition_threshold"] or condition["condition_absent"])[0]
            named = re.search(r'logging.googleapis.com/user/([\w/]+)"', one["filter"])
            queue = re.search(r'subscription_id="([\w-]+)"', one["filter"])
            assert not named or named[1] in metrics
            assert not queue or queue[1] in subscriptions
            assert named or queue or "acme-deals:dealwright" in one["filter"]
            watched |= {found[1] for found in (named, queue) if found}
    assert watched == metrics | subscriptions


def test_customers_key_is_used_where_it_is_given_and_its_users_are_let_at_it(push_plan: Plan) -> None:
    """Buckets and topics are encrypted with it; Cloud Storage and Pub/Sub may use it."""
    buckets, topics = push_plan.of_type("google_storage_bucket"), push_plan.of_type("google_pubsub_topic")
    assert all(one["encryption"] for one in buckets.values())
    assert all(one["kms_key_name"] for one in topics.values())
    members = {member for kind, _, _, member in grants(push_plan) if kind == "google_kms_crypto_key"}
    assert len(members) == 2


def test_more_connections_than_the_database_allows_are_told_of(
    terraform: str, schema: dict[str, Any], tmp_path: Path, pull_plan: Plan
) -> None:
    """The plan says so before a rollout does."""
    assert pull_plan.failed_checks == []
    many: dict[str, Any] = {"workers": {"instances": 20}}
    large = planning.plan(schema, tmp_path / "large", **many)
    assert large.failed_checks == ["connections"]
    small = planning.plan(schema, tmp_path / "small", **many, settings={"POOL_SIZE": "4"})
    assert small.failed_checks == []
    assert small.outputs["most_connections"] * 15 == large.outputs["most_connections"] * 4


def test_terraform_itself_refuses_what_has_the_wrong_type(
    terraform: str, schema: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in's schema is the provider's: a word where a number belongs, and an argument too many."""
    shutil.copytree(planning.FOLDER, tmp_path / "seeded")
    shutil.copy(planning.FOLDER.parent / "topology.yaml", tmp_path)
    pubsub = tmp_path / "seeded" / "pubsub.tf"
    text = pubsub.read_text(encoding="utf-8").replace("each.value.ack_deadline_s", '"soon"')
    pubsub.write_text(text.replace("enable_message_ordering ", "order_messages "), encoding="utf-8")
    monkeypatch.setattr(planning, "FOLDER", tmp_path / "seeded")
    with pytest.raises(planning.PlanError) as refused:
        planning.plan(schema, tmp_path / "home")
    assert "Incorrect attribute value type" in str(refused.value)
    assert 'An argument named "order_messages" is not expected here' in str(refused.value)


def test_bad_variables_are_refused_with_a_sentence_of_ours(
    terraform: str, schema: dict[str, Any], tmp_path: Path
) -> None:
    """All of them at once."""
    bad = {
        "project": "Acme Deals",
        "region": "europe-west1-b",
        "image": "registry.example/dealwright:latest",
        "uploads_delivery": "both",
        "settings": {"DATABASE_URL": "postgresql://u:p@h/d"},
        "web": {"public_url": "http://deals.acme.example", "iap": True, "invokers": ["allUsers"]},
        "subnet_cidr": "10.20.0.0/29",
    }
    with pytest.raises(planning.PlanError) as refused:
        planning.plan(schema, tmp_path, **bad)
    said = " ".join(str(refused.value).split())
    for sentence in (
        "A project id has 6 to 30",
        "a zone or a multi-region won't do",
        "Name the image by its digest",
        "Either pull or push",
        "Secrets are kept in Secret Manager",
        "IAP lets in whom it knows",
        "An address such as https://deals.example.com",
        "no smaller than /26",
    ):
        assert sentence in said


def test_slots_that_a_role_would_refuse_are_refused_before(
    terraform: str, schema: dict[str, Any], tmp_path: Path
) -> None:
    """Each needs a connection, and two are needed beside them."""
    with pytest.raises(planning.PlanError) as refused:
        planning.plan(schema, tmp_path, slots=64.5)
    for sentence in ("A whole number from 1 to 64", "Give settings a POOL_SIZE of slots and two more"):
        assert sentence in " ".join(str(refused.value).split())
