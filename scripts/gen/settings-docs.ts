/** docs/reference/settings.md from the declared settings of a service. */
import { clientSecretVariables, fileKeyOf, fileVariableOf } from '../../server/settings/secret-files.ts'
import { type Setting, settings } from '../../server/settings/settings.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const seconds = (ms: number): string => (ms % 60_000 === 0 && ms > 0 ? `${ms / 60_000}m` : `${ms / 1000}s`)

const valuesOf = (setting: Setting): string => {
  switch (setting.type) {
    case 'choice':
      return setting.choices.map((it) => `\`${it}\``).join(', ')
    case 'integer':
      return `integer, ${setting.min} to ${setting.max}`
    case 'quota':
      return 'integer or `unlimited`'
    case 'duration':
      return 'duration: `500ms`, `30s`, `5m`, `1h`'
    case 'switch':
      return '`true` or `false`'
    case 'list':
      return 'list; separated by commas in a variable'
    case 'path':
      return 'path'
    case 'text':
      return setting.minLength === undefined ? 'text' : `text, at least ${setting.minLength} characters`
  }
}

const defaultOf = (setting: Setting): string => {
  if (setting.default === null || setting.default === '') return ''
  return `\`${setting.type === 'duration' ? seconds(setting.default) : String(setting.default)}\``
}

const row = ([key, setting]: [string, Setting]): string =>
  `| \`${key}\` | \`${setting.env}\` | ${cell(valuesOf(setting))} | ${defaultOf(setting)} | ${cell(setting.summary)}${setting.secret === undefined ? '' : ' (secret: never shown)'} |`

const groups: readonly { readonly title: string; readonly prefixes: readonly string[] }[] = [
  { title: 'Connections to Postgres', prefixes: ['database'] },
  { title: 'Sign-in', prefixes: ['oidc', 'jwt'] },
  { title: 'Analysis of documents', prefixes: ['analysis', 'compat'] },
  { title: 'MCP endpoint', prefixes: ['mcp'] },
  { title: 'Semantic search', prefixes: ['embeddings'] },
  { title: 'Tracing', prefixes: ['otel'] },
  { title: 'Limits of the free plan', prefixes: ['free'] },
]

const table = (rows: readonly [string, Setting][]): string[] => [
  '| Key | Variable | Values | Default | Meaning |',
  '|---|---|---|---|---|',
  ...rows.map(row),
  '',
]

export default async (): Promise<Record<string, string>> => {
  const all = Object.entries(settings) as [string, Setting][]
  const named = new Set(groups.flatMap(({ prefixes }) => prefixes))
  const prefixOf = (key: string): string => (key.includes('.') ? (key.split('.')[0] ?? '') : '')
  const known = (key: string): boolean => named.has(prefixOf(key))
  return {
    'docs/reference/settings.md': [
      '# Settings of a service',
      '',
      'The value of a setting comes from the option of `svc serve`, else the environment variable, else the file',
      '`svc.config.yaml` or `svc.config.json` in the current folder (or the file that `SVC_CONFIG` names), else the default. `svc config print` shows each value and',
      'its source. In the file, a key with a dot is nested: `oidc.issuer` is `issuer` below `oidc`.',
      '',
      'A setting that is a secret may be in a file, for example one that Docker, systemd or Kubernetes mounts: the variable of its file ends in `_FILE`, the key in',
      '`File` (`SVC_METRICS_TOKEN_FILE=/run/secrets/metrics`, `metricsTokenFile`). Line breaks at the end of the file are not part of the secret. svc does not start where',
      'both are set, or where the file cannot be read. The service reads such a file again when it uses the secret, so that a replaced file holds without a restart; the table says where that is not so.',
      '',
      '| Secret | Variable of its file | A replaced file holds |',
      '|---|---|---|',
      ...all
        .filter(([, { secret }]) => secret !== undefined)
        .map(
          ([key, { env, replacedFrom }]) =>
            `| \`${fileKeyOf(key)}\` | \`${fileVariableOf(env)}\` | ${cell(replacedFrom ?? 'at once')} |`,
        ),
      '',
      `Commands read these secrets from files as well: ${clientSecretVariables.map((it) => `\`${fileVariableOf(it)}\``).join(', ')}.`,
      '',
      '## General',
      '',
      ...table(all.filter(([key]) => !known(key))),
      ...groups.flatMap(({ title, prefixes }) => [
        `## ${title}`,
        '',
        ...table(all.filter(([key]) => prefixes.includes(prefixOf(key)))),
      ]),
    ].join('\n'),
  }
}
