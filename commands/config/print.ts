import { showValue } from '../../server/config.ts'
import { settings, type SettingKey } from '../../server/settings.ts'
import { command } from '../../cli/declare.ts'
import { loadConfig } from '../../cli/configuration.ts'

export default command({
  summary: 'Print every setting, its value and its source',
  description: 'Precedence: command line, environment variable, configuration file, default. Secrets are redacted.',
  examples: ['svc config print', 'SVC_PORT=9000 svc config print --json'],
  arguments: [],
  options: {},
  run: async (invocation) => {
    const config = loadConfig(invocation)
    const rows = (Object.keys(settings) as SettingKey[]).map((key) => {
      const { kind, name } = config.sources[key]
      const { env: variable, summary } = settings[key]
      return { key, value: showValue(key, config.values[key]), source: kind, origin: name, variable, summary }
    })
    const width = (pick: (row: (typeof rows)[number]) => string): number =>
      Math.max(...rows.map((row) => pick(row).length))
    const keyWidth = width((row) => row.key)
    const valueWidth = Math.min(
      50,
      width((row) => row.value),
    )
    const lines = rows.map(({ key, value, source, origin, variable }) => {
      const from = source === 'default' ? `default (${variable})` : `${source} ${origin}`
      return `${key.padEnd(keyWidth)}  ${(value === '' ? '-' : value).padEnd(valueWidth)}  ${from}`
    })
    return { data: { file: config.file, settings: rows }, text: `${lines.join('\n')}\n` }
  },
})
