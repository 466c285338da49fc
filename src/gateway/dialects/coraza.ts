import type { Rate } from '../../gateway-policy/door.ts'
import { cannotLimit, defineDialect, headerOf, type RateLimit } from './dialect.ts'

/** For the module caddy-ratelimit, within a site of a Caddyfile. */
function rateLimit(rate: Rate): RateLimit {
  const header = headerOf(rate)
  if (rate.key !== 'ip' && header === null) return cannotLimit
  const text = `# Needs a Caddy with the module github.com/mholt/caddy-ratelimit, and "order rate_limit before basic_auth".
rate_limit {
	zone svc {
		key ${header === null ? '{http.request.remote.host}' : `{http.request.header.${header}}`}
		events ${rate.limit}
		window ${rate.windowSeconds}s
	}
}
`
  return {
    files: [{ path: 'proxy/caddy-rate-limit.caddyfile', text }],
    use: 'Import proxy/caddy-rate-limit.caddyfile in a Caddy that has the module caddy-ratelimit.',
  }
}

export const coraza = defineDialect({
  name: 'coraza',
  title: 'Coraza',
  programs: 'Caddy, HAProxy',
  comparesBytes: false,
  namesAnyMember: true,
  passesMarkers: false,
  limitsBodiesWithoutFiles: false,
  ruleSet: { folder: '@owasp_crs', version: 4 },
  seesEmptyBodies: true,
  noSchemas: null,
  doubt: null,
  rateLimit,
  moreFiles: () => [],
  nextStep: (folder) =>
    `Load ${folder}/svc.conf with Coraza 3.8 or newer; it includes the rule set by itself, without crs-setup.conf.`,
  notAsked: null,
})
