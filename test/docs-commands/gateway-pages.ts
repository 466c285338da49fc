/** What the pages about gateways presuppose, and what of them is not run. */
import { ownService } from './beside.ts'
import { description } from './documents.ts'
import type { Scenario } from './reader.ts'

const shop = description('Shop')
const imported = (name: string): string => `svc import openapi ${name}.yaml --publish public`
const root = 'changes the machine of the reader; scripts/gateway-guides.ts follows the page on one'
const proxy = 'is a script that a proxy of the reader needs'
const gateway = 'needs a gateway beside it; scripts/gateway-guides.ts follows the page with a real one'
const foreign = 'is another program'

/** Waits until the service of the page has made a release of this number. */
const untilRelease = (number: number): string =>
  `for i in $(seq 300); do svc gateway release show production ${number} >/dev/null 2>&1 && break; sleep 0.2; done`
const event = JSON.stringify({
  id: 'seen-1',
  at: '2026-11-29T12:00:00Z',
  action: 'block',
  ruleRef: 'crs:942100',
  groupId: 'sqli',
  method: 'GET',
  route: '/items',
  status: 403,
  matches: [{ ruleRef: 'crs:942100', groupId: 'sqli', paranoia: 1, severity: 'critical', field: 'query:q', length: 4 }],
})

export const gatewayScenarios: Readonly<Record<string, Scenario>> = {
  'docs/guides/gateway-caddy.md': {
    before: ['svc gateway environment create Production --kind production'],
    left: { 'docker compose': foreign, 'svc gateway run': gateway },
  },
  'docs/guides/gateway-compile.md': {
    files: {
      'openapi.yaml': shop,
      'policy.yaml': 'environment:\n  slug: shop\n  hostnames: [api.example.com]\ntier: strict\n',
    },
  },
  'docs/guides/gateway-envoy.md': {
    before: ['svc gateway environment create Production --kind production'],
    left: {
      'svc gateway run': gateway,
      'set -eu': proxy,
      'jq ': proxy,
      'mv ': proxy,
      'apiVersion:': proxy,
      'spec:': proxy,
      '}': proxy,
    },
  },
  'docs/guides/gateway-nginx.md': {
    files: { 'openapi.yaml': shop },
    before: [
      'svc gateway environment create Production --kind production',
      'svc gateway compile --engine nginx --output release openapi.yaml',
    ],
    fill: { 'check /var/lib/svc-gateway': 'check {folder}/release' },
    left: { 'apt-get ': root, 'systemctl ': root, 'journalctl ': root, 'nginx ': root },
  },
  'docs/guides/gateway-events.md': {
    files: { 'petstore.yaml': description('Petstore'), 'first.ndjson': event, 'events.ndjson': '' },
    before: [
      'svc import openapi petstore.yaml --publish public',
      'svc gateway environment create Production --kind production --project petstore',
      'svc gateway positive update production --project petstore',
      'svc gateway events import production first.ndjson',
      'svc gateway enforcer create production edge-1 --engine coraza-caddy > gateway.txt',
    ],
    beside: ownService,
    // Meanwhile another event is imported, and the gateway counts a call that no document declares.
    meanwhile: {
      'svc gateway events list production --follow': [
        '(sleep 3; sed "s/seen-1/seen-2/; s/2026-11-29T12:00:00Z/$(date -u +%FT%TZ)/" first.ndjson > second.ndjson; svc gateway events import production second.ndjson) >/dev/null 2>&1 &',
      ],
      'svc gateway coverage production --days': [
        `node -e 'const key = /svg_\\w+/.exec(require("fs").readFileSync("gateway.txt", "utf8"))[0]; const line = { kind: "seen", id: crypto.randomUUID(), at: new Date().toISOString(), method: "GET", route: null, pathShape: "/toys/{id}", count: 1 }; fetch(process.env.SVC_BASE_URL + "/v1/slate/enforcers/self/events", { method: "POST", headers: { "x-api-key": key, "content-type": "application/x-ndjson" }, body: JSON.stringify(line) }).then((it) => { process.exitCode = it.ok ? 0 : 1 })'`,
      ],
    },
    until: { '--follow': /942100/ },
  },
  'docs/guides/gateway-policy.md': {
    files: {
      'petstore.yaml': description('Petstore'),
      'petstore-next.yaml': description('Petstore', '2.0.0'),
      'change.json': '{"presets":{"tier":"strict"}}',
      'events.ndjson': event,
    },
    before: [imported('petstore'), imported('petstore-next')],
    fill: { '--event EVENT': '--event seen-1' },
    meanwhile: {
      'svc gateway exception create production --event': ['svc gateway events import production events.ndjson'],
    },
  },
  'docs/guides/gateway-releases.md': {
    files: { 'petstore.yaml': description('Petstore') },
    before: [imported('petstore'), 'svc gateway environment create Production --kind production --project petstore'],
    beside: ownService,
    // The releases of the reader have other numbers.
    fill: { 'production 6 7': 'production 1 2', 'production 7': 'production 2', 'production 6': 'production 1' },
    meanwhile: {
      'svc gateway release list': [
        untilRelease(1),
        'svc gateway exception create production --route /items --field query:q --group sqli --until 12h --reason "Names"',
        untilRelease(2),
      ],
    },
    left: {
      'svc gateway release diff production 7 8':
        'needs a newer svc; test/server/gateway/newer-compiler.test.ts has one',
      'svc gateway release take': 'needs a newer svc; test/server/gateway/newer-compiler.test.ts has one',
    },
  },
}
