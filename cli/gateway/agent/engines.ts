/** What the agent does with each kind of gateway unless options say otherwise. */
import { SvcError } from '../../../src/errors.ts'
import type { Besides, Folder } from './folder.ts'
import { probeName, probeText } from './probe.ts'

export const engineNames = ['caddy', 'nginx', 'spoa', 'wasm', 'export'] as const
export type EngineName = (typeof engineNames)[number]

export interface EngineSetup {
  readonly name: EngineName
  /** The flavour of SecLang that its releases have to be in. */
  readonly flavour: 'coraza' | 'coraza-wasm' | 'modsecurity'
  /** Asks the engine whether it can read `$SVC_RELEASE`; null: nothing asks it. */
  readonly validate: string | null
  readonly reload: string | null
  /** It answers with the status of the rule that refused, so that it can be asked which release it uses. */
  readonly probes: boolean
  /** Prints the version of the engine; null: none is known. */
  readonly version: string | null
  /** Lines of the engine's error log that say that it could not use its configuration. */
  readonly fatal: RegExp
}

const fatal = /\[(?:emerg|alert|crit)\]|Rules error\.|"level":"(?:fatal|panic)"/

const setups: Readonly<Record<EngineName, EngineSetup>> = {
  caddy: {
    name: 'caddy',
    flavour: 'coraza',
    validate: 'caddy validate --adapter caddyfile --config "$SVC_CHECK"',
    reload: 'caddy reload --adapter caddyfile --config /etc/caddy/Caddyfile',
    probes: true,
    version: 'caddy version',
    fatal,
  },
  nginx: {
    name: 'nginx',
    flavour: 'modsecurity',
    validate: 'nginx -t -q -c "$SVC_CHECK"',
    reload: 'nginx -t -q && nginx -s reload',
    probes: true,
    version: 'nginx -v',
    fatal,
  },
  spoa: {
    name: 'spoa',
    flavour: 'coraza',
    validate: null,
    reload: 'systemctl reload coraza-spoa',
    probes: false,
    version: null,
    fatal,
  },
  wasm: { name: 'wasm', flavour: 'coraza-wasm', validate: null, reload: null, probes: false, version: null, fatal },
  export: { name: 'export', flavour: 'coraza', validate: null, reload: null, probes: false, version: null, fatal },
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

/**
 * @throws SvcError `usage` where an engine has no usual command and none is given
 */
export function setupOf(
  name: EngineName,
  given: { readonly validate?: string | undefined; readonly reload?: string | undefined },
): EngineSetup {
  const setup = setups[name]
  const chosen = {
    ...setup,
    validate: given.validate === undefined ? setup.validate : isBlank(given.validate) ? null : given.validate,
    reload: given.reload === undefined ? setup.reload : isBlank(given.reload) ? null : given.reload,
  }
  if (name === 'wasm' && given.reload === undefined)
    throw new SvcError('usage', {
      reason: '--engine wasm needs --reload: the command that puts the release into your proxy, or "" for none',
    })
  return chosen
}

const quoted = (path: string): string => `"${path.replaceAll('"', String.raw`\"`)}"`

/** A configuration with nothing in it but a release, for the command that validates: what the engine uses is not touched. */
export function checkText(name: EngineName, release: string): string | null {
  if (name === 'nginx')
    return [
      'include /etc/nginx/modules-enabled/*.conf;',
      'pid /dev/null;',
      'error_log stderr notice;',
      'events {}',
      `http { access_log off; modsecurity_rules_file ${quoted(`${release}/svc.conf`)}; }`,
      '',
    ].join('\n')
  if (name === 'caddy')
    return [
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
  return null
}

/** Writes that configuration. @returns its path; null where the engine has none */
export function writeCheck(folder: Folder, name: EngineName, digest: string): string | null {
  const text = checkText(name, folder.at('releases', digest))
  if (text === null) return null
  const file = name === 'nginx' ? 'nginx.conf' : 'Caddyfile'
  folder.replace(`check/${file}`, text, 0o644)
  return folder.at('check', file)
}

/** The file with the place of the audit log, which the others include. */
const auditName = 'audit.conf'
/** Of each release, for engines whose own configuration has to change with it. */
const siteName = 'site.caddyfile'

/**
 * What a folder has beside the files of each release: the rule by which the agent asks for it, and for Caddy the site. Coraza in Caddy is
 * built again only where its directives changed: they name the release by its own folder, and Caddy imports them through the link.
 */
export const besides =
  (name: EngineName): Besides =>
  (folder, release, digest) => {
    const files = new Map([[probeName, probeText(digest)]])
    const includes = [`${folder}/${auditName}`, `${release}/${probeName}`, `${release}/svc.conf`]
    const directives = includes.map((it) => `\t\tInclude ${it}\n`).join('')
    if (name === 'caddy') files.set(siteName, `coraza_waf {\n\tload_owasp_crs\n\tdirectives \`\n${directives}\t\`\n}\n`)
    return files
  }

/** Writes what the engine includes: where its audit log goes, and the release in use. */
export function writeEntry(folder: Folder, auditLog: string): void {
  const heading = '# Written by "svc gateway run", which replaces what it includes.'
  const texts = {
    [auditName]: `${heading}\nSecAuditLog ${auditLog}\n`,
    'engine.conf': `${heading}\n${[
      folder.at(auditName),
      folder.at('current', probeName),
      folder.at('current', 'svc.conf'),
    ]
      .map((it) => `Include ${it}\n`)
      .join('')}`,
  }
  for (const [file, text] of Object.entries(texts)) if (folder.read(file) !== text) folder.replace(file, text, 0o644)
}
