import type { Enforcer } from '../../../../../src/api/gateway-enforcers.ts'
import { engineOfKind } from '../../../../../src/gateway/door.ts'

/** How the agent of a new gateway is started; the key is in what is shown once, and nowhere else. */
export const agentUses = (
  { engine }: Pick<Enforcer, 'engine'>,
  key: string,
  publicKey: string,
  origin: string,
): Readonly<Record<string, string>> => {
  const run = `svc gateway run --url ${origin} --dir /var/lib/svc-gateway --engine ${engineOfKind(engine).name}`
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
