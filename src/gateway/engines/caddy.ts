import { coraza } from '../dialects/coraza.ts'
import type { ReleaseFile } from '../release/file.ts'
import { defineEngine } from './engine.ts'

const isHost = (text: string): boolean => /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)

/**
 * The site of an environment. The files are included one by one, because Coraza before 3.8 looks for what an included file includes
 * beside that file only, and the rule set is not there.
 * @param entry the text of `svc.conf`
 * @param folder where the files of the release are, as an absolute path
 */
function caddyfile(
  entry: string,
  compiled: readonly ReleaseFile[],
  { folder, hostnames }: { readonly folder: string; readonly hostnames: readonly string[] },
): ReleaseFile {
  const sites = hostnames.filter(isHost)
  const directives = entry
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^Include (?=[\w-]+\.conf$)/, `Include ${folder}/`))
  const rate = compiled.find(({ path }) => path === 'proxy/caddy-rate-limit.caddyfile')
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
${directives.map((line) => `			${line}\n`).join('')}		\`
	}
${limit}	reverse_proxy {$SVC_UPSTREAM:127.0.0.1:9000}
}
`
  return { path: 'Caddyfile', text }
}

const checkText = (release: string): string =>
  [
    '{',
    '  admin off',
    '  order coraza_waf first',
    '}',
    'http://127.0.0.1:0 {',
    '  coraza_waf {',
    '    load_owasp_crs',
    `    directives \`Include ${release}/svc.conf\``,
    '  }',
    '}',
    '',
  ].join('\n')

export const caddy = defineEngine({
  kind: 'coraza-caddy',
  name: 'caddy',
  title: 'Caddy with Coraza',
  note: 'Everything of a policy, with request bodies by schema.',
  dialect: coraza,
  check: {
    program: 'caddy',
    file: 'Caddyfile',
    text: checkText,
    words: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
  },
  reload: 'caddy reload --adapter caddyfile --config /etc/caddy/Caddyfile',
  probes: true,
  version: 'caddy version',
  /** Coraza in Caddy is built again only where its directives changed: they name the release by its own folder, and Caddy imports them through the link. */
  besides: (directives) =>
    new Map([['site.caddyfile', `coraza_waf {\n\tload_owasp_crs\n\tdirectives \`\n${directives}\t\`\n}\n`]]),
  compiled: {
    folderProblem: (folder) =>
      /^[\w ./-]+$/.test(folder)
        ? null
        : `A Caddyfile cannot name the folder "${folder}": use letters, digits, ".", "_" and "-"`,
    files: (entry, compiled, place) => [caddyfile(entry, compiled, place)],
    nextStep: (folder) => `Run: caddy run --adapter caddyfile --config ${folder}/Caddyfile`,
  },
})
