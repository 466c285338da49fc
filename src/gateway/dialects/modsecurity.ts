import type { Rate } from '../../gateway-policy/door.ts'
import { cannotLimit, defineDialect, headerOf, type RateLimit } from './dialect.ts'

/** For `limit_req` of nginx. */
function rateLimit(rate: Rate): RateLimit {
  const header = headerOf(rate)
  if (rate.key !== 'ip' && header === null) return cannotLimit
  const perSecond = Math.floor(rate.limit / rate.windowSeconds)
  const perMinute = Math.floor((rate.limit * 60) / rate.windowSeconds)
  if (perMinute < 1) return cannotLimit
  const key = header === null ? '$binary_remote_addr' : `$http_${header.toLowerCase().replaceAll('-', '_')}`
  const burst = rate.limit > 1 ? ` burst=${rate.limit - 1} nodelay` : ''
  const isExact = perSecond >= 1 && perSecond * rate.windowSeconds === rate.limit
  const zone = `# For the http block of nginx.\nlimit_req_zone ${key} zone=svc:10m rate=${isExact ? `${perSecond}r/s` : `${perMinute}r/m`};\n`
  const use = `# For the server or location. nginx refills steadily, so at most twice the limit passes within one window.
limit_req zone=svc${burst};
limit_req_status 429;
`
  return {
    files: [
      { path: 'proxy/nginx-rate-http.conf', text: zone },
      { path: 'proxy/nginx-rate-server.conf', text: use },
    ],
    use: 'Include proxy/nginx-rate-http.conf and proxy/nginx-rate-server.conf in nginx.',
  }
}

export const modsecurity = defineDialect({
  name: 'modsecurity',
  title: 'ModSecurity',
  programs: 'nginx',
  comparesBytes: true,
  namesAnyMember: false,
  passesMarkers: true,
  limitsBodiesWithoutFiles: true,
  ruleSet: { folder: '/usr/share/modsecurity-crs/rules', version: 3 },
  seesEmptyBodies: false,
  noSchemas: 'ModSecurity cannot check JSON against a schema.',
  doubt: null,
  rateLimit,
  moreFiles: () => [],
  nextStep: (folder) =>
    `Load ${folder}/svc.conf with ModSecurity 3; it includes the rule set by itself, without crs-setup.conf.`,
  notAsked: null,
})
