import { createInterface } from 'node:readline/promises'
import type { Call } from '../../src/api/endpoint.ts'
import type { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { SvcError } from '../../src/errors.ts'
import { compareSurfaces } from '../../src/mcp-catalogue/compare.ts'
import { observationText, observedSurface } from '../../src/mcp-catalogue/observe.ts'
import type { ObservedSurface, Surface } from '../../src/mcp-catalogue/types.ts'
import { whileWaiting } from '../deadline.ts'
import type { Invocation, Result } from '../declare.ts'
import { forPeople } from '../terminal.ts'
import type { Io } from '../io.ts'
import { diffText } from './diff-text.ts'
import { countsText, findServer, renderServer, shortPrint } from './shared.ts'
import type { ArgumentValues, OptionValues } from '../options.ts'
import { pause } from '../pause.ts'

/**
 * Asks before a command is started.
 * @throws SvcError `usage` where no one can be asked, and where the answer is anything but yes
 */
async function confirmStart(command: readonly string[], io: Pick<Io, 'isInteractive'>): Promise<void> {
  const shown = command.join(' ')
  if (!io.isInteractive)
    throw new SvcError('usage', { reason: `No one can be asked whether to start "${shown}": give --yes` })
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const asked = forPeople(`Start "${shown}" on this machine, with your rights? [y/N] `, false)
    const answer = await whileWaiting(() => lines.question(asked))
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new SvcError('usage', { reason: 'Nothing was started' })
  } finally {
    lines.close()
  }
}

/** What every program needs to start; nothing else of the environment is passed on. */
const kept =
  process.platform === 'win32'
    ? ['PATH', 'PATHEXT', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']
    : ['PATH', 'HOME']

/**
 * The environment of a command: PATH and HOME, and what was named: NAME passes it on, NAME=VALUE sets it.
 * @throws SvcError `usage` for a name that is not set
 */
function environmentFor(
  named: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const out: Record<string, string> = {}
  for (const name of kept) if (env[name] !== undefined) out[name] = env[name]
  for (const text of named) {
    const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? []
    const found = value ?? env[name]
    if (name === '')
      throw new SvcError('usage', { reason: `--env must be NAME or NAME=VALUE, not "${text.split('=')[0]}"` })
    if (found === undefined) throw new SvcError('usage', { reason: `--env ${name}: the variable is not set` })
    out[name] = found
  }
  return out
}

const lookMs = 200

/** Has the service observe a server, and waits until it did or failed. */
async function observeByService(call: Call, tenant: string, server: McpEndpoint, signal: AbortSignal): Promise<Result> {
  const params = { tenant_slug: tenant, endpoint_id: server.id }
  await call(mcpServersApi.observe, { params })
  const isDone = (now: McpEndpoint) =>
    now.observed?.observed_at !== server.observed?.observed_at || now.failure?.at !== server.failure?.at
  let now = server
  while (!isDone(now)) {
    await pause(lookMs, signal)
    now = await call(mcpServersApi.get, { params })
  }
  const text = renderServer(now)
  return now.failure === null ? { data: now, text } : { data: now, text, exitCode: 6 }
}

/** Starts a command and reads what the server offers. @throws SvcError `observation-failed`, `usage` */
async function observeHere(
  words: readonly [string, ...string[]],
  env: Record<string, string>,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<ObservedSurface> {
  const [{ observeStdio }, { ObservationFailed }] = await Promise.all([
    import('../../server/mcp-servers/observation/stdio.ts'),
    import('../../server/mcp-servers/observation/failure.ts'),
  ])
  try {
    const { answers } = await whileWaiting(() => observeStdio({ command: words, env, cwd }, { signal }))
    return observedSurface(answers)
  } catch (error) {
    if (!(error instanceof ObservationFailed)) throw error
    throw new SvcError('observation-failed', { command: words[0], kind: error.kind, reason: error.message })
  }
}

const foundText = (seen: ObservedSurface): string =>
  `${seen.identity.name ?? 'The server'} offers ${countsText(seen.counts)}: ${seen.fingerprint.wire}\n`

/** Compares what was seen here with what was approved; nothing is uploaded. */
async function compareHere(call: Call, tenant: string, server: McpEndpoint, seen: ObservedSurface): Promise<Result> {
  if (server.approved === null) throw new SvcError('mcp-surface-not-found', { name: server.name, surface: 'approved' })
  const approved = await call(mcpServersApi.surface, {
    params: { tenant_slug: tenant, endpoint_id: server.id },
    query: { at: 'approved' },
  })
  const { shownComparison } = await import('../../server/mcp-servers/surfaces.ts')
  const comparison = shownComparison(compareSurfaces(approved as unknown as Surface, seen.surface))
  const diff = { from: approved.fingerprint, to: seen.fingerprint.wire, ...comparison }
  return {
    data: { endpoint_id: server.id, ...diff },
    summary: { drifted: !diff.is_same, severity: diff.severity },
    text: () => (diff.is_same ? `${foundText(seen)}It is what was approved.\n` : diffText(diff)),
    ...(!diff.is_same && { exitCode: 4 as const }),
  }
}

/** What `svc mcp-server observe` and `svc mcp observe`, which are the same, take. */
export const observing = {
  description:
    'Without COMMAND the service asks the server at its address. With COMMAND the server is started here, asked for its lists and ended; what it offers is uploaded as an observation of SERVER. No tool is called. The command gets PATH and HOME and the variables of --env, nothing else. With --local nothing is uploaded: it is compared with what was approved, and the exit code is 4 where it differs.',
  arguments: [
    { name: 'server', summary: 'id, name or address of the server; without it, what COMMAND offers is only printed' },
    { name: 'command', variadic: true, afterDashes: true, summary: 'starts the server on this machine' },
  ],
  options: {
    endpoint: { type: 'string', placeholder: 'SERVER', summary: 'the same as SERVER' },
    local: { type: 'boolean', summary: 'compare with what was approved; upload nothing' },
    yes: { type: 'boolean', summary: 'do not ask before COMMAND is started' },
    env: { type: 'string', placeholder: 'NAME', multiple: true, summary: 'a variable for COMMAND: NAME or NAME=VALUE' },
  },
  graceful: true,
  isBounded: true,
} as const

type Observing = Invocation<ArgumentValues<typeof observing.arguments>, OptionValues<typeof observing.options>>

/** Observes a server, by the service or here. @throws SvcError `usage`, `mcp-endpoint-not-found`, `observation-failed` */
export async function runObserve(invocation: Observing): Promise<Result> {
  const { args, options, connection, io, env, cwd, signal } = invocation
  const given = args.server ?? options.endpoint
  const [program, ...words] = args.command
  if (program === undefined) {
    if (given === undefined)
      throw new SvcError('usage', { reason: 'Give SERVER, or behind -- a command that starts one' })
    if (options.local) throw new SvcError('usage', { reason: '--local needs a command behind --' })
    const { call, tenant } = await connection()
    const slug = await tenant()
    return observeByService(call, slug, await findServer(call, slug, given), signal)
  }
  const variables = environmentFor(options.env, env)
  // What is wrong with the name of the server is said before anything is started.
  const opened = given === undefined ? null : await connection()
  const slug = opened === null ? '' : await opened.tenant()
  const server = opened === null || given === undefined ? null : await findServer(opened.call, slug, given)
  if (!options.yes) await confirmStart(args.command, io)
  const seen = await observeHere([program, ...words], variables, { cwd, signal })
  for (const notice of seen.notices) io.log.warn(notice.message)
  if (opened === null || server === null) {
    const { surface, fingerprint, counts, identity } = seen
    return { data: { identity, fingerprint, counts, surface }, text: foundText(seen) }
  }
  if (options.local) return compareHere(opened.call, slug, server, seen)
  const by = env.CI === undefined || env.CI === '' ? 'cli' : 'ci'
  const { observation, endpoint } = await opened.call(mcpServersApi.upload, {
    params: { tenant_slug: slug, endpoint_id: server.id },
    body: { by, surface: observationText(seen) },
  })
  const change = observation.changed
    ? `It is another surface than before${observation.change?.severity ? ` (${observation.change.severity})` : ''}: ${shortPrint(server.observed?.fingerprint ?? '')} → ${shortPrint(seen.fingerprint.wire)}\n`
    : ''
  return { data: { observation, endpoint }, text: `${foundText(seen)}${change}${renderServer(endpoint)}` }
}
