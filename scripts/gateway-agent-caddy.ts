/**
 * Walks through the life of a gateway with a real Caddy and Coraza (`scripts/gateway/agent-walk.ts`), in a folder of its own, on loopback.
 * Needs a Caddy that has the directive "coraza_waf".
 *
 *     node scripts/bun.mjs run scripts/gateway-agent-caddy.ts PATH_OF_CADDY [--keep]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frontPort, upstreamPort, walkThrough } from './gateway/agent-walk.ts'

const caddy = process.argv[2] ?? 'caddy'
const admin = 'localhost:18495'
const config = (dir: string): string => `--adapter caddyfile --config ${dir}/Caddyfile`

process.exit(
  await walkThrough({
    name: 'caddy',
    dialect: 'coraza',
    command: (dir) => `${caddy} run ${config(dir)}`,
    reload: (dir) => `${caddy} reload ${config(dir)} --address ${admin}`,
    options: (dir) => [
      '--validate',
      `${caddy} validate --adapter caddyfile --config "$SVC_CHECK"`,
      '--access-log',
      join(dir, 'access.log'),
    ],
    log: (dir) => join(dir, 'engine.out'),
    broken: 'SecNoSuchDirective On\n',
    wrongBody: 400,
    site: (dir) => ({ file: join(dir, 'Caddyfile'), includes: `import ${dir}/agent/current/site.caddyfile` }),
    prepare(dir, agentDir) {
      writeFileSync(
        join(dir, 'Caddyfile'),
        `{
	admin ${admin}
	persist_config off
	auto_https off
	order coraza_waf first
}
http://127.0.0.1:${frontPort} {
	import ${agentDir}/current/site.caddyfile
	log {
		output file ${dir}/access.log
	}
	reverse_proxy 127.0.0.1:${upstreamPort}
}
`,
      )
    },
  }),
)
