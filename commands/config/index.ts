import { type ConnectionFact, connectionFacts, workspaceInUse } from '../../cli/config/connection-facts.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { command, group } from '../../cli/declare.ts'
import { configCandidates, findConfigFile } from '../../server/config-file.ts'
import { type Config, showValue } from '../../server/config.ts'
import { type SettingKey, settings } from '../../server/settings/settings.ts'

type Line = readonly [key: string, value: string, source: string]

const settingRows = (config: Config) =>
  (Object.keys(settings) as SettingKey[]).map((key) => {
    const { kind, name, secretFile = null } = config.sources[key]
    const { env: variable, summary } = settings[key]
    return {
      key,
      value: showValue(key, config.values[key]),
      source: kind,
      origin: name,
      secret_file: secretFile,
      variable,
      summary,
    }
  })

const connectionLine = ({ option, value, source, variable }: ConnectionFact): Line => [
  `--${option}`,
  value,
  source === 'default' ? `default (${variable})` : source === 'flag' ? `flag --${option}` : `variable ${variable}`,
]

const settingLine = ({
  key,
  value,
  source,
  origin,
  secret_file: file,
  variable,
}: ReturnType<typeof settingRows>[number]): Line => [
  key,
  value,
  source === 'default' ? `default (${variable})` : `${source} ${origin}${file === null ? '' : ` (${file})`}`,
]

function aligned(lines: readonly Line[]): string {
  const width = (pick: (line: Line) => string): number => Math.max(...lines.map((line) => pick(line).length))
  const keyWidth = width(([key]) => key)
  const valueWidth = Math.min(
    50,
    width(([, value]) => value),
  )
  return lines
    .map(
      ([key, value, source]) =>
        `${key.padEnd(keyWidth)}  ${(value === '' ? '-' : value).padEnd(valueWidth)}  ${source}\n`,
    )
    .join('')
}

export default group({
  summary: 'Show the settings of svc',
  commands: {
    path: command({
      summary: 'Print the path of the configuration file in use',
      description: 'The file named by SVC_CONFIG, otherwise svc.config.yaml, .yml or .json in the current folder.',
      examples: ['svc config path'],
      arguments: [],
      options: {},
      run: async ({ env, cwd, io }) => {
        const path = findConfigFile(env, cwd)?.path ?? null
        const candidates = configCandidates(env, cwd)
        if (path === null) io.log.info(`No configuration file found; looked for ${candidates.join(', ')}`)
        return { data: { path, candidates }, text: path === null ? '' : `${path}\n` }
      },
    }),
    print: command({
      summary: 'Print every setting, its value and its source',
      description:
        'Also prints the service, organization, API key and timeout that commands use, and the local workspace in use. Precedence: command line, environment variable, configuration file, default. Secrets are redacted.',
      examples: ['svc config print', 'SVC_PORT=9000 svc config print --json'],
      arguments: [],
      options: {},
      run: async (invocation) => {
        const config = loadConfig(invocation)
        const rows = settingRows(config)
        const connection = connectionFacts(invocation)
        const workspace = workspaceInUse(invocation, config.values.workspace)
        const inUse = workspace === null ? 'Commands use the service at --base-url.' : `Workspace in use: ${workspace}`
        return {
          data: { file: config.file, workspace, connection, settings: rows },
          text: `${inUse}\n\n${aligned([...connection.map(connectionLine), ...rows.map(settingLine)])}`,
        }
      },
    }),
  },
})
