import type { Enforcer } from '../../../../../src/api/gateway-enforcers.ts'

type Kind = Enforcer['engine']

/** The kinds of gateways in the words of their users. */
export const kindNames: Readonly<Record<Kind, string>> = {
  'coraza-caddy': 'Caddy with Coraza',
  'coraza-spoa': 'HAProxy with Coraza',
  'coraza-wasm': 'Envoy or Traefik with Coraza (WASM)',
  modsecurity: 'nginx with ModSecurity',
  export: 'Files only',
}

export const kindDetails: Readonly<Record<Kind, string>> = {
  'coraza-caddy': 'Everything of a policy, with request bodies by schema.',
  'coraza-spoa': 'Everything of a policy, with request bodies by schema.',
  'coraza-wasm': 'Without request bodies by schema.',
  modsecurity: 'Without request bodies by schema. Debian has the packages.',
  export: 'The agent writes releases to a folder; you copy them to the gateway.',
}

/** What the agent calls each kind. */
const engines: Readonly<Record<Kind, string>> = {
  'coraza-caddy': 'caddy',
  'coraza-spoa': 'spoa',
  'coraza-wasm': 'wasm',
  modsecurity: 'nginx',
  export: 'export',
}

/** How the agent of a new gateway is started; the key is in what is shown once, and nowhere else. */
export const agentUses = (
  { engine }: Pick<Enforcer, 'engine'>,
  key: string,
  publicKey: string,
  origin: string,
): Readonly<Record<string, string>> => {
  const run = `svc gateway run --url ${origin} --dir /var/lib/svc-gateway --engine ${engines[engine]}`
  return {
    Shell: `export SVC_GATEWAY_KEY=${key}\nexport SVC_GATEWAY_PUBLIC_KEY=${publicKey}\n${run}`,
    systemd: `# /etc/svc-gateway.env, readable by root alone
SVC_GATEWAY_KEY=${key}
SVC_GATEWAY_PUBLIC_KEY=${publicKey}

# /etc/systemd/system/svc-gateway.service
[Unit]
Description=Agent of the gateway
After=network-online.target

[Service]
EnvironmentFile=/etc/svc-gateway.env
ExecStart=/usr/local/bin/${run}
Restart=always

[Install]
WantedBy=multi-user.target`,
  }
}
