"""What deploy/ says, held against what it deploys."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from server.answers import HEADERS
from server.settings import Settings, table
from tests.dockerfile import ROOT, every

DEPLOY = ROOT / "deploy"
SETTINGS = {name for name, _, _ in table()}
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
NGINX = (DEPLOY / "nginx" / "unrolled.conf").read_text()
USER = re.search(r"--uid (\d+)", "".join(every("RUN", image=True)))


def manifest(kind: str) -> Any:
    [found] = [one for one in MANIFESTS if one["kind"] == kind]
    return found


def test_compose_has_two_replicas_that_nginx_knows():
    services = COMPOSE["services"]
    replicas = {name for name, service in services.items() if service["image"] == "unrolled"}
    assert replicas == {"app-1", "app-2"}
    assert set(re.findall(r"server (\S+):8000 ", NGINX)) == replicas
    assert set(services["proxy"]["depends_on"]) == replicas
    [volume] = services["proxy"]["volumes"]
    assert (DEPLOY / volume.split(":")[0]).is_file()
    assert re.fullmatch(r"nginx:\d+\.\d+\.\d+-alpine", services["proxy"]["image"])
    for name in replicas:
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
        assert set(services[name]["environment"]) <= SETTINGS
        assert (DEPLOY / services[name]["build"]["context"] / "Dockerfile").is_file()


def test_what_a_client_says_of_itself_is_overwritten_before_it_is_believed():
    for environment in (
        COMPOSE["services"]["app-1"]["environment"],
        {one["name"]: one["value"] for one in container()["env"]},
    ):
        assert environment["UNROLLED_PROXIES"] == "1"
    for header in ("For", "Proto", "Host", "Prefix"):
        assert re.search(rf"proxy_set_header X-Forwarded-{header} [^;]*;", NGINX)


def test_nginx_s_own_refusal_has_the_server_s_headers():
    own = NGINX.split("location @too_many", 1)[1]
    for name, value in HEADERS.items():
        assert re.search(rf'add_header {name} "?{re.escape(value)}"? always;', own), name


def container() -> Any:
    [only] = manifest("Deployment")["spec"]["template"]["spec"]["containers"]
    return only


def test_the_pod_runs_as_the_image_s_user_and_writes_nothing():
    spec = manifest("Deployment")["spec"]["template"]["spec"]
    assert USER
    assert spec["securityContext"]["runAsUser"] == int(USER[1])
    assert spec["securityContext"]["runAsNonRoot"] is True
    secure = container()["securityContext"]
    assert secure["readOnlyRootFilesystem"]
    assert not secure["allowPrivilegeEscalation"]
    assert {one["name"] for one in container()["env"]} <= SETTINGS
    assert container()["resources"]["limits"].keys() == {"cpu", "memory"}
    assert spec["terminationGracePeriodSeconds"] > Settings().graceful_timeout + 5


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_probes_are_answered_without_a_host_name(client, probe):
    asked = container()[probe]["httpGet"]
    ports = {one["name"]: one["containerPort"] for one in container()["ports"]}
    assert str(ports[asked["port"]]) == every("EXPOSE", image=True)[0]
    assert client.get(asked["path"], headers={"Host": "10.0.0.7:8000"}).status_code == 200


def test_the_manifests_are_about_one_and_the_same_deployment():
    labels = manifest("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert manifest("Deployment")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("Service")["spec"]["selector"] == labels
    assert manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    scaler = manifest("HorizontalPodAutoscaler")["spec"]
    assert scaler["scaleTargetRef"]["name"] == manifest("Deployment")["metadata"]["name"]
    assert (scaler["minReplicas"], scaler["metrics"][0]["resource"]["name"]) == (2, "cpu")
    [rule] = manifest("Ingress")["spec"]["rules"]
    told = {one["name"]: one["value"] for one in container()["env"]}
    assert rule["host"] == told["UNROLLED_HOSTS"]
    for path in rule["http"]["paths"]:
        assert path["backend"]["service"]["name"] == manifest("Service")["metadata"]["name"]


def test_the_ingress_lets_the_page_and_its_questions_through_and_limits_each_client(app):
    def passed(address: str) -> bool:
        return any(
            address == one["path"]
            or (one["pathType"] == "Prefix" and address.startswith(one["path"] + "/"))
            for one in paths
        )

    [rule] = manifest("Ingress")["spec"]["rules"]
    paths = rule["http"]["paths"]
    served = [path for path in (ROOT / "static").rglob("*") if path.is_file()]
    for file in served:
        assert passed(f"/{file.relative_to(ROOT / 'static')}") or file.name == "index.html"
    routes = {rule.rule for rule in app.url_map.iter_rules()} - {
        "/<name>",
        "/static/<path:filename>",
    }
    assert {route for route in routes if not passed(route)} == {"/metrics", "/readyz"}
    told = {one["name"]: one["value"] for one in container()["env"]}
    [rate] = re.findall(r"zone=questions:\S+ rate=(\d+)r/s", NGINX)
    assert int(told["UNROLLED_RATE"]) == 60 * int(rate)
