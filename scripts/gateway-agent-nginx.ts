/**
 * Walks through the life of a gateway with a real nginx and ModSecurity (`scripts/gateway/agent-walk.ts`). Needs the Debian packages nginx,
 * libnginx-mod-http-modsecurity and modsecurity-crs; everything else is in a folder of its own, on loopback.
 *
 *     node scripts/bun.mjs run scripts/gateway-agent-nginx.ts [--keep]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frontPort, upstreamPort, walkThrough } from './gateway/agent-walk.ts'

const command = (dir: string): string => `nginx -p ${dir} -c ${dir}/nginx.conf`

process.exit(
  await walkThrough({
    name: 'nginx',
    dialect: 'modsecurity',
    command,
    reload: (dir) => `${command(dir)} -t -q && ${command(dir)} -s reload`,
    options: (dir) => ['--error-log', join(dir, 'logs/error.log'), '--access-log', join(dir, 'logs/access.log')],
    log: (dir) => join(dir, 'logs/error.log'),
    broken: 'SecNoSuchDirective On\n',
    // ModSecurity has no JSON Schema: the release says that bodies are not enforced.
    wrongBody: 200,
    site: (dir) => ({ file: join(dir, 'nginx.conf'), includes: 'modsecurity on;' }),
    prepare(dir, agentDir) {
      for (const name of ['logs', 'tmp']) mkdirSync(join(dir, name))
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${dir}/tmp;`)
      writeFileSync(
        join(dir, 'nginx.conf'),
        `load_module /usr/lib/nginx/modules/ngx_http_modsecurity_module.so;
daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/logs/error.log info;
events { worker_connections 64; }
http {
  ${folders.join(' ')}
  access_log ${dir}/logs/access.log combined;
  server {
    listen 127.0.0.1:${frontPort};
    modsecurity on;
    modsecurity_rules_file ${agentDir}/engine.conf;
    location / { proxy_pass http://127.0.0.1:${upstreamPort}; }
  }
}
`,
      )
    },
  }),
)
