import { join } from 'node:path'
import { SvcError } from '../src/errors.ts'
import { parseNetworks } from '../server/egress/address.ts'
import { createLogger, parseLogLevel } from '../server/operations/log.ts'
import { sampleSlug } from '../server/sample/seed.ts'
import { serve, type Server } from '../server/serve.ts'
import { command } from './command.ts'
import { version } from './version.gen.ts'
import { databaseTarget, workspaceFolder } from './workspace.ts'

function welcome(server: Server, describe: string): string {
  const { url, setupLink, seeded } = server
  const next = [
    ['Application', `${url}/app/`],
    ...(seeded ? [['Sample page', `${url}/v1/swagger/local/${sampleSlug}/latest`]] : []),
    ['Agents', `${url}/mcp`],
    ['Contract', `${url}/v1/openapi.json`],
    ['Workspace', describe],
  ]
  const width = Math.max(...next.map(([name = '']) => name.length)) + 2
  const lines = next.map(([name = '', value = '']) => `  ${name.padEnd(width)}${value}`)
  const claim =
    setupLink === null
      ? ''
      : `\nNobody has signed in yet. Make the first user (good once, for 30 minutes):\n  ${setupLink}\n`
  const tries = seeded
    ? `\nTry, in another terminal:\n  svc version list ${sampleSlug}\n  svc diff ${sampleSlug}@1.0.0 ${sampleSlug}@2.0.0\n  svc import auto FILE --publish public\n`
    : ''
  return `svc ${version} listens on ${url}\n\n${lines.join('\n')}\n${claim}${tries}\nCtrl-C ends it.\n`
}

export default command({
  summary: 'serve the REST interface, the application and the agents endpoint',
  description:
    'Works on the same workspace as the other commands: what was imported there is served here. With a database address it works on Postgres, together with any number of further servers.',
  examples: ['svc serve', 'svc serve --port 0', 'SVC_DATABASE_URL=postgres://… svc serve --host 0.0.0.0'],
  arguments: [],
  options: {
    host: {
      type: 'string',
      placeholder: 'HOST',
      env: 'SVC_HOST',
      default: '127.0.0.1',
      summary: 'address to listen on',
    },
    port: {
      type: 'integer',
      env: 'SVC_PORT',
      min: 0,
      max: 65_535,
      default: 8080,
      summary: 'port; 0 takes any free one',
    },
    'public-url': {
      type: 'string',
      placeholder: 'URL',
      env: 'SVC_PUBLIC_URL',
      summary: 'the address people reach it under',
    },
    'database-url': {
      type: 'string',
      placeholder: 'URL',
      env: 'SVC_DATABASE_URL',
      summary: 'postgres:// address (safer in the variable: others can read your command line)',
    },
    'log-level': {
      type: 'string',
      placeholder: 'LEVEL',
      env: 'SVC_LOG_LEVEL',
      choices: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      summary: 'what is logged, as JSON on standard error',
    },
    sample: { type: 'boolean', summary: 'put a sample project into an empty workspace' },
  },
  graceful: true,
  async run({ options, globals, env, cwd, io, signal }) {
    const folder = workspaceFolder(globals.workspace, env, cwd)
    const level = parseLogLevel(options['log-level'])
    if (level === null) throw new SvcError('usage', { reason: `There is no log level "${options['log-level']}".` })
    const database = databaseTarget(folder, options['database-url'])
    const server = await serve({
      database,
      host: options.host,
      port: options.port,
      publicUrl: options['public-url']?.replace(/\/+$/, '') ?? null,
      egressAllow: parseNetworks(env.SVC_EGRESS_ALLOW ?? ''),
      logger: createLogger({ level, write: (line) => void process.stderr.write(line) }),
      environment: env,
      version,
      setupFile: join(folder, 'setup-link'),
      sample: options.sample,
    })
    await io.stdout(welcome(server, database.kind === 'sqlite' ? folder : 'Postgres'))
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return { exitCode: (await server.stop()) ? 0 : 70 }
  },
})
