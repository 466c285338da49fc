import { SvcError } from '../src/errors.ts'
import {
  checkClock,
  checkConfig,
  checkDatabase,
  checkDisk,
  checkPort,
  checkWorkspace,
  type Check,
  type CheckStatus,
} from '../cli/doctor/checks.ts'
import { command } from '../cli/declare.ts'
import { loadConfig } from '../cli/configuration.ts'
import {
  checkDocuments,
  checkGatewayAudit,
  checkSearchIndex,
  checkSecrets,
  checkStorage,
} from '../cli/doctor/database.ts'
import { keySourceOf } from '../server/vault/settings.ts'
import { checkService } from '../cli/doctor/service.ts'
import { checkIssuers, checkMail } from '../cli/doctor/service.ts'
import { storedTarget, workspaceFolder } from '../cli/connection/workspace.ts'

// No release is older than the first one.
const firstReleaseMs = Date.UTC(2026, 0, 1)

const examine = async (invocation: Parameters<typeof checkService>[1]): Promise<Check[]> => {
  const { env, cwd, globals } = invocation
  const config = loadConfig(invocation)
  const { values } = config
  const clock = checkClock(Date.now(), firstReleaseMs)
  if (globals.baseUrl !== undefined)
    return [checkConfig(config, env), ...(await checkService(globals.baseUrl, invocation)), clock]
  const folder = workspaceFolder(values.workspace ?? undefined, env, cwd)
  const target = await storedTarget(values, env, folder)
  return [
    checkConfig(config, env),
    checkWorkspace(folder),
    checkDisk(folder),
    await checkDatabase(target),
    ...(await checkDocuments(target)),
    ...(await checkStorage(target)),
    ...(await checkSecrets(target, keySourceOf(values, folder, target))),
    ...(await checkGatewayAudit(target)),
    ...(await checkSearchIndex(target)),
    await checkPort('port', values.host, values.port, 'SVC_PORT'),
    ...(values['mcp.enabled']
      ? [
          await checkPort('mcp port', values['mcp.host'], values['mcp.port'], 'SVC_MCP_HTTP_PORT', {
            isRequired: config.sources['mcp.port'].kind !== 'default',
          }),
        ]
      : []),
    ...(await checkIssuers(values)),
    ...(await checkMail(values, invocation.signal)),
    clock,
  ]
}

const colours: Readonly<Record<CheckStatus, number>> = { pass: 32, warn: 33, fail: 31 }

const render = (checks: readonly Check[], colour: boolean): string => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, status, message, advice }) => {
      const shown = colour ? `\u001b[${colours[status]}m${status}\u001b[39m` : status
      const more = advice === null ? '' : `\n${' '.repeat(width + 8)}${advice}`
      return `${shown}  ${name.padEnd(width)}  ${message}${more}\n`
    })
    .join('')
}

export default command({
  summary:
    'Check the configuration, the workspace, the database, stored documents and secrets, object storage, audit trails, the search, ports, issuers, the mail server, the disk and the clock',
  description:
    'With --base-url, the service and the credentials are checked instead of what is on this machine. Changes nothing. Exits with 1 if a check fails; a warning is not a failure.',
  examples: ['svc doctor', 'svc doctor --json'],
  arguments: [],
  options: {},
  run: async (invocation) => {
    let checks: Check[]
    try {
      checks = await examine(invocation)
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'config-invalid') throw error
      // Nothing else can be reported where the settings are unknown.
      checks = [{ name: 'config', status: 'fail', message: error.message, advice: 'Correct these settings.' }]
    }
    const count = (status: CheckStatus): number => checks.filter((it) => it.status === status).length
    const summary = { pass: count('pass'), warn: count('warn'), fail: count('fail') }
    return {
      exitCode: summary.fail > 0 ? 1 : 0,
      summary,
      data: { checks },
      text: render(checks, invocation.io.colour.stdout),
    }
  },
})
