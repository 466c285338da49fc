/** A Caddyfile for a compiled policy. */
import type { Compiled, ReleaseFile } from './model.ts'

const isHost = (it: string): boolean => /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(it)

/**
 * The site of an environment. The files are included one by one, because Coraza before 3.8 looks for what an included file includes
 * beside that file only, and the rule set is not there.
 * @param folder where the files of the release are, as an absolute path
 */
export function caddyfile(compiled: Compiled, folder: string, hostnames: readonly string[]): ReleaseFile {
  const sites = hostnames.filter(isHost)
  const entry = compiled.files.find(({ path }) => path === 'svc.conf')?.text ?? ''
  const directives = entry
    .split('\n')
    .filter((it) => it !== '' && !it.startsWith('#'))
    .map((it) => it.replace(/^Include (?=[\w-]+\.conf$)/, `Include ${folder}/`))
  const rate = compiled.files.find(({ path }) => path === 'proxy/caddy-rate-limit.caddyfile')
  const limit = rate === undefined ? '' : `	# Needs the module caddy-ratelimit:\n	# import ${folder}/${rate.path}\n`
  const text = `# Needs a Caddy with the module github.com/corazawaf/coraza-caddy/v2.
{
	order coraza_waf first
}

${sites.length === 0 ? ':8080' : sites.join(', ')} {
	coraza_waf {
		load_owasp_crs
		directives \`
			SecAuditLog {$SVC_AUDIT_LOG:/dev/stdout}
${directives.map((it) => `			${it}\n`).join('')}		\`
	}
${limit}	reverse_proxy {$SVC_UPSTREAM:127.0.0.1:9000}
}
`
  return { path: 'Caddyfile', text }
}
