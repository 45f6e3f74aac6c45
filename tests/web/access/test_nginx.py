"""The doors of a real web server: nginx, as Debian packages it."""

import asyncio
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lycosa.core.nouns import Page
from lycosa.web.http import Http, HttpOptions

from ...tls_cases import authority, signed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("nginx", path="/usr/sbin:/usr/bin"), reason="nginx is not installed"),
]
CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log {folder}/access.log; client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder}; default_type text/html;
  ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.pem; root {folder}/www;
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name basic.test;
    auth_basic "members"; auth_basic_user_file {folder}/users;
  }}
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name certificate.test;
    ssl_client_certificate {folder}/root.pem; ssl_verify_client on;
  }}
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name header.test;
    if ($http_x_api_key != "s3cret-key") {{ return 403; }}
  }}
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name cookie.test;
    if ($cookie_session != "s3cret-session") {{ return 302 https://basic.test/moved; }}
  }}
}}
"""


@contextmanager
def nginx(folder):
    """The server; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    leaf = signed("basic.test", authority(), more=("certificate.test", "header.test", "cookie.test"))
    (folder / "server.pem").write_bytes(leaf.pem + leaf.key_pem)
    (folder / "root.pem").write_bytes(authority().pem)
    (folder / "users").write_text("ann:{PLAIN}s3cret-pass\n")
    (folder / "www").mkdir()
    (folder / "www" / "index.html").write_text("<title>inside</title>welcome")
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=port))
    # nginx reads pages as a user of its own.
    folder.chmod(0o755)
    command = ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    with subprocess.Popen(command, env={"PATH": "/usr/sbin:/usr/bin"}) as server:
        try:
            for _ in range(100):
                with socket.socket() as link:
                    if not link.connect_ex(("127.0.0.1", port)):
                        break
                time.sleep(0.05)
            yield port
        finally:
            server.terminate()


def test_every_door_of_nginx_opens_to_who_has_its_key_and_to_nobody_else(tmp_path):
    mine = signed("ann", authority())
    for name, content in {
        "ann.pem": mine.pem + mine.key_pem,
        "cookies.txt": b"cookie.test\tFALSE\t/\tTRUE\t0\tsession\ts3cret-session\n",
    }.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o600)
    access = {
        "basic.test": {"user": "ann", "password": "env:PASSWORD"},
        "certificate.test": {"certificate": str(tmp_path / "ann.pem")},
        "header.test": {"headers": {"X-Api-Key": "env:KEY"}},
        "cookie.test": {"cookies": str(tmp_path / "cookies.txt")},
    }

    async def story(folder, port, access):
        options = HttpOptions(resolve={"*": f"127.0.0.1:{port}"}, ca=str(folder / "root.pem"), access=access)
        http = Http(options, variables={"PASSWORD": "s3cret-pass", "KEY": "s3cret-key"})
        try:
            return {host: await http.get(f"https://{host}/", 1 << 20) for host in hosts}
        finally:
            await http.close()

    hosts = tuple(access)
    with TemporaryDirectory() as name, nginx(folder := Path(name)) as port:
        inside, outside = asyncio.run(story(folder, port, access)), asyncio.run(story(folder, port, {}))
        elsewhere = dict(zip(access, [*list(access.values())[1:], access["basic.test"]], strict=True))
        elsewhere["certificate.test"], elsewhere["cookie.test"] = access["header.test"], access["basic.test"]
        wrong = asyncio.run(story(folder, port, elsewhere))
        told = (folder / "access.log").read_text()
    assert all(isinstance(page, Page) and page.title == "inside" for page in inside.values()), inside
    assert not any(isinstance(page, Page) for page in (*outside.values(), *wrong.values()))
    assert "s3cret" not in told and told
