import { randomBytes } from 'node:crypto'
import type { Call } from '../../src/api/endpoint.ts'
import { compileAgain } from '../../cli/compiler-settings.ts'
import { command, type Invocation } from '../../cli/declare.ts'
import { checkMcpAccess, internalSecretOf, openMcpAccess, toolNamesOf, type McpAccess } from '../../cli/mcp/access.ts'
import { designInstructions } from '../../cli/mcp/design/instructions.ts'
import { version } from '../../cli/version.gen.ts'
import { greet, lookedInto } from '../../mcp/greeting.ts'

/** How long a quiet start waits before it opens the database anyway, so that what is wrong with it is said. */
const openAfterMs = 250

/** What is served with --design, and what the tools work on. */
async function designOptions(invocation: Invocation) {
  const [{ designOf }, { designTools, prepareDesign }, { tools }, { prompts }] = await Promise.all([
    import('../../cli/mcp/design/design.ts'),
    import('../../cli/mcp/design/definitions.ts'),
    import('../../mcp/tools.gen.ts'),
    import('../../mcp/prompts.gen.ts'),
  ])
  const design = designOf(invocation)
  const all = [...tools, ...designTools(design)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const prepare = () => design.bounded('The reading of svc.yaml', () => prepareDesign(design))
  return { prepare, registry: { tools: all, prompts } }
}

export default command({
  summary: 'Serve published specifications to an agent over standard input and output',
  description:
    'Uses the Model Context Protocol on standard input and output. Reads the local workspace as its owner, or with SVC_MCP_DATABASE_URL (and SVC_MCP_INTERNAL_SECRET) a shared database as the key of each call allows. With --design an agent can also edit the descriptions below the folder of the nearest svc.yaml (or of --root): each edit is a dry run unless it says otherwise, and one that breaks is written only if its changes are accepted by their fingerprints. Ends when standard input ends.',
  examples: ['svc mcp', 'svc mcp --design', 'SVC_MCP_API_KEY=svm_… svc mcp --base-url https://svc.example.com'],
  arguments: [],
  options: {
    design: {
      type: 'boolean',
      summary:
        'also edit, bundle and convert the files of the repository of svc.yaml, and nothing outside of its folder',
    },
  },
  graceful: true,
  async run(invocation) {
    const { env, globals, signal, io, options } = invocation
    const names = toolNamesOf(env)
    checkMcpAccess(env)
    const about = { version, ...(options.design && { more: designInstructions }) }
    const input = lookedInto(process.stdin)
    const greeted = await greet(input, process.stdout, about)
    const { serveMcpStdio } = await import('../../mcp/stdio.ts')
    const more = options.design ? await designOptions(invocation) : null
    // The host is greeted before the database is open: it is opened for the first call, or when there is time.
    let opening: Promise<McpAccess> | null = null
    const open = (): Promise<McpAccess> => (opening ??= openMcpAccess(invocation, 'owner'))
    const failed = new AbortController()
    let failure: unknown = null
    // With design tools an agent may need no workspace at all: it is opened for the first call that does.
    const begin = async (): Promise<unknown> => (more === null ? open() : more.prepare())
    const timer = setTimeout(() => {
      compileAgain()
      begin().catch((error: unknown) => {
        failure = error
        failed.abort()
      })
    }, openAfterMs)
    try {
      await serveMcpStdio({
        ...about,
        ...(more !== null && { registry: more.registry }),
        greeted,
        callFor: (key) => (async (endpoint, input) => (await open()).callFor(key)(endpoint, input)) satisfies Call,
        names,
        // A session is over with its process: where no secret is shared, no one else needs to read its cursors.
        secret: internalSecretOf(env) || randomBytes(32),
        key: env.SVC_MCP_API_KEY || globals.apiKey || null,
        input,
        output: process.stdout,
        signal: AbortSignal.any([signal, failed.signal]),
        onFault: (fault) => io.log.error(fault instanceof Error ? fault.message : String(fault)),
      })
    } finally {
      clearTimeout(timer)
      process.stdin.unpipe().pause()
      if (opening !== null)
        await (opening as Promise<McpAccess>).then(
          (access) => access.close(),
          () => {},
        )
    }
    if (failure !== null) throw failure
  },
})
