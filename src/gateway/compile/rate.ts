/** The rate limit of the presets. No engine counts requests, but the proxies can: what they need is written to files of their own. */
import type { Policy, Rate } from '../policy/model.ts'
import type { Engine, ReleaseFile, Setting } from './model.ts'

const headerOf = ({ key }: Rate): string | null => /^header:([A-Za-z0-9-]{1,64})$/.exec(key)?.[1] ?? null

/** For the module caddy-ratelimit, within a site of a Caddyfile. */
function caddy(rate: Rate): string | null {
  const header = headerOf(rate)
  if (rate.key !== 'ip' && header === null) return null
  return `# Needs a Caddy with the module github.com/mholt/caddy-ratelimit, and "order rate_limit before basic_auth".
rate_limit {
	zone svc {
		key ${header === null ? '{http.request.remote.host}' : `{http.request.header.${header}}`}
		events ${rate.limit}
		window ${rate.windowSeconds}s
	}
}
`
}

function nginx(rate: Rate): { zone: string; use: string } | null {
  const header = headerOf(rate)
  if (rate.key !== 'ip' && header === null) return null
  const perSecond = Math.floor(rate.limit / rate.windowSeconds)
  const perMinute = Math.floor((rate.limit * 60) / rate.windowSeconds)
  if (perMinute < 1) return null
  const key = header === null ? '$binary_remote_addr' : `$http_${header.toLowerCase().replaceAll('-', '_')}`
  const burst = rate.limit > 1 ? ` burst=${rate.limit - 1} nodelay` : ''
  const isExact = perSecond >= 1 && perSecond * rate.windowSeconds === rate.limit
  return {
    zone: `# For the http block of nginx.\nlimit_req_zone ${key} zone=svc:10m rate=${isExact ? `${perSecond}r/s` : `${perMinute}r/m`};\n`,
    use: `# For the server or location. nginx refills steadily, so at most twice the limit passes within one window.
limit_req zone=svc${burst};
limit_req_status 429;
`,
  }
}

const counts = 'The engine does not count requests over time.'

/** @returns files for the proxy, and what the setting comes to: nothing, until the proxy includes them */
export function compileRate(
  { presets: { rate } }: Policy,
  engine: Engine,
): { files: ReleaseFile[]; settings: Setting[] } {
  if (rate === null) return { files: [], settings: [] }
  const setting = (reason: string): Setting[] => [{ setting: 'rate', state: 'not-enforced', reason }]
  const missing = { files: [], settings: setting(`${counts} The proxy cannot express this limit.`) }
  if (engine === 'coraza-wasm') return { files: [], settings: setting(`${counts} Use the rate limit of the proxy.`) }
  if (engine === 'modsecurity') {
    const found = nginx(rate)
    if (found === null) return missing
    const files = [
      { path: 'proxy/nginx-rate-http.conf', text: found.zone },
      { path: 'proxy/nginx-rate-server.conf', text: found.use },
    ]
    return {
      files,
      settings: setting(`${counts} Include proxy/nginx-rate-http.conf and proxy/nginx-rate-server.conf in nginx.`),
    }
  }
  const text = caddy(rate)
  if (text === null) return missing
  return {
    files: [{ path: 'proxy/caddy-rate-limit.caddyfile', text }],
    settings: setting(
      `${counts} Import proxy/caddy-rate-limit.caddyfile in a Caddy that has the module caddy-ratelimit.`,
    ),
  }
}
