"""What a request costs by HTTP/1.1 and HTTP/2, by client. CPU-ms a request, one process each, over TLS on loopback.

    python bench/http2.py [REQUESTS] [--python PYTHON]

PYTHON is the interpreter of an environment in which the other clients are installed (httpx[http2], niquests, curl_cffi,
wreq, pycurl); those that are missing are left out. nginx is needed; it serves one page of 32 KB on loopback.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PORT = 8447
CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder}; keepalive_requests 1000000; types {{ text/html html; }}
  server {{ listen 127.0.0.1:{port} ssl http2; ssl_certificate {folder}/c.pem; ssl_certificate_key {folder}/k.pem;
    root {folder}; }}
}}
"""
CLIENTS = {
    "aiohttp, HTTP/1.1": """
import aiohttp, asyncio, ssl
async def main():
    tls = ssl.create_default_context(cafile=CA)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=tls)) as session:
        async def some(count):
            for _ in range(count):
                async with session.get(URL) as answer:
                    assert len(await answer.read()) == 32768
        await measured(some)
asyncio.run(main())
""",
    "httpx, HTTP/1.1": """
import asyncio, httpx
async def main():
    async with httpx.AsyncClient(verify=CA, http2=False) as client:
        async def some(count):
            for _ in range(count):
                assert len((await client.get(URL)).content) == 32768
        await measured(some)
asyncio.run(main())
""",
    "httpx, HTTP/2": """
import asyncio, httpx
async def main():
    async with httpx.AsyncClient(verify=CA, http2=True) as client:
        async def some(count):
            for _ in range(count):
                answer = await client.get(URL)
                assert len(answer.content) == 32768 and answer.http_version == "HTTP/2"
        await measured(some)
asyncio.run(main())
""",
    "niquests, HTTP/2": """
import asyncio, niquests
async def main():
    async with niquests.AsyncSession() as client:
        async def some(count):
            for _ in range(count):
                answer = await client.get(URL, verify=CA)
                assert len(answer.content) == 32768 and answer.http_version == 20
        await measured(some)
asyncio.run(main())
""",
    "curl_cffi, HTTP/2": """
import asyncio
from curl_cffi import CurlHttpVersion, requests
async def main():
    async with requests.AsyncSession(verify=CA, http_version=CurlHttpVersion.V2TLS) as client:
        async def some(count):
            for _ in range(count):
                answer = await client.get(URL)
                assert len(answer.content) == 32768 and answer.http_version == 3
        await measured(some)
asyncio.run(main())
""",
    "wreq, HTTP/2": """
import asyncio, wreq
async def main():
    client = wreq.Client(tls_verify=False, http2_only=True)
    async def some(count):
        for _ in range(count):
            answer = await client.get(URL)
            assert len(await answer.bytes()) == 32768
    await measured(some)
asyncio.run(main())
""",
}
MEASURE = """
import asyncio, resource, sys
URL, CA, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
async def measured(some):
    await some(20)
    before = cpu()
    await asyncio.gather(*[some(COUNT // 8) for _ in range(8)])
    print((cpu() - before) / (COUNT // 8 * 8) * 1000)
"""


def certificate(folder: Path) -> None:
    """A certificate for localhost, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "c.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "k.pem").write_bytes(key.private_bytes(*form))


def main() -> None:
    """Print the cost of a request for every client."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("requests", type=int, nargs="?", default=2000)
    options.add_argument("--python", default=sys.executable)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        certificate(folder)
        (folder / "page.html").write_bytes(b"words and more " * 2184 + b"the end.")
        (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=PORT))
        server = subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
        try:
            time.sleep(1)
            for client, code in CLIENTS.items():
                costs = []
                for _ in range(3):
                    done = subprocess.run(
                        [given.python, "-c", MEASURE + code, f"https://localhost:{PORT}/page.html",
                         str(folder / "c.pem"), str(given.requests)],
                        capture_output=True, text=True, check=False,
                    )  # fmt: skip
                    if done.returncode:
                        print(f"{client:22}left out: {(done.stderr.strip().splitlines() or ['?'])[-1][-160:]}")
                        break
                    costs.append(float(done.stdout))
                else:
                    print(f"{client:22}{min(costs):6.3f} CPU-ms a request")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
