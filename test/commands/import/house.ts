/** Documents to import, and the two ways to the same commands: the local workspace and a service. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect } from '../../../cli/connection/connect.ts'
import type { Connection } from '../../../cli/connection/connection.ts'
import { createMessages } from '../../../cli/messages.ts'
import { registry } from '../../../cli/registry.gen.ts'
import { openDatabase } from '../../../db/open.ts'
import { createService } from '../../../server/app.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { ensureLocalTenant } from '../../../server/tenants/local.ts'
import { documentsApi } from '../../../src/api/documents.ts'
import { addApiKey } from '../../server/auth/house.ts'
import { runHere, type Outcome } from '../../cli/surroundings.ts'

/** The envelope of a command. */
export interface Envelope {
  readonly exitCode: number
  readonly data: unknown
  readonly summary: unknown
  readonly error: { readonly code: string; readonly message: string } | null
}

/** One way to run commands: near or far. */
export interface Way {
  readonly name: string
  run(argv: readonly string[], stdin?: string): Promise<Outcome>
  /** With --json, read. */
  ask(argv: readonly string[], stdin?: string): Promise<Envelope>
  /** Calls of the service, for what no command does. */
  connect(): Promise<Connection>
  /** A rendered document of a version, as JSON. */
  render(kind: 'openapi' | 'arazzo', project: string, version: string): Promise<string>
}

export interface House {
  readonly folder: string
  readonly ways: readonly [near: Way, far: Way]
  write(path: string, content: string | Uint8Array): void
  close(): Promise<void>
}

/** A folder for files, a workspace, and a service with a key of its own. */
export async function openHouse(): Promise<House> {
  const top = mkdtempSync(join(tmpdir(), 'svc-imports-'))
  const folder = join(top, 'files')
  mkdirSync(folder)
  const db = await openDatabase({ kind: 'sqlite', path: join(top, 'far', 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({
    db,
    publicUrl: () => '',
    egressAllow: parseNetworks('127.0.0.0/8'),
    onFault: (fault) => {
      throw fault
    },
  })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => service.handle(request) })
  const key = await addApiKey(db, local.tenantId)
  const way = (name: string, env: Readonly<Record<string, string>>): Way => {
    const run = (argv: readonly string[], stdin?: string): Promise<Outcome> =>
      runHere(argv, registry, { env, cwd: folder, ...(stdin === undefined ? {} : { stdin }) })
    const globals = {
      baseUrl: env.SVC_BASE_URL,
      tenant: 'local',
      apiKey: env.SVC_API_KEY,
      workspace: env.SVC_WORKSPACE,
      json: false,
      quiet: true,
      verbose: false,
      timeoutMs: 10_000,
      given: [],
    }
    const open = (): Promise<Connection> =>
      connect(globals, {
        env,
        cwd: folder,
        signal: new AbortController().signal,
        log: createMessages(() => Promise.resolve(), false).log,
      })
    return {
      name,
      run,
      async ask(argv, stdin) {
        const { stdout } = await run(['--json', ...argv], stdin)
        return JSON.parse(stdout) as Envelope
      },
      connect: open,
      async render(kind, project, version) {
        const connection = await open()
        try {
          const params = { tenant_slug: 'local', project_slug: project, version_slug: version }
          return JSON.stringify(await connection.call(documentsApi[kind], { params }))
        } finally {
          await connection.close()
        }
      },
    }
  }
  return {
    folder,
    ways: [
      way('near', { SVC_WORKSPACE: join(top, 'near') }),
      way('far', { SVC_BASE_URL: server.url.origin, SVC_API_KEY: key }),
    ],
    write(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    },
    async close() {
      await server.stop(true)
      await service.stop()
      await db.close()
      rmSync(top, { recursive: true, force: true })
    },
  }
}

/** An OpenAPI document with grade A; `more` goes into its info. */
export const openapiText = (title: string, version = '1.0.0', more: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: 'Keeps things.',
      contact: { name: 'Team', email: 'team@example.com' },
      license: { name: 'MIT', identifier: 'MIT' },
      ...more,
    },
    servers: [{ url: 'https://api.example.com' }],
    tags: [{ name: 'things', description: 'Things.' }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          summary: 'List things',
          description: 'Lists all things.',
          tags: ['things'],
          responses: {
            200: {
              description: 'The things.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      },
    },
    components: { schemas: { Thing: { type: 'object', properties: { id: { type: 'string' } } } } },
  })

export const swaggerText = (title: string, version = '1.0.0', more: object = {}): string =>
  JSON.stringify({
    swagger: '2.0',
    info: {
      title,
      version,
      description: 'Keeps things.',
      contact: { name: 'Team' },
      license: { name: 'MIT' },
      ...more,
    },
    host: 'api.example.com',
    schemes: ['https'],
    tags: [{ name: 'things', description: 'Things.' }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          summary: 'List things',
          description: 'Lists all things.',
          tags: ['things'],
          produces: ['application/json'],
          responses: { 200: { description: 'The things.', schema: { $ref: '#/definitions/Thing' } } },
        },
      },
    },
    definitions: { Thing: { type: 'object', properties: { id: { type: 'string' } } } },
  })

export const arazzoText = (title: string, version = '1.0.0', more: object = {}): string =>
  JSON.stringify({
    arazzo: '1.0.1',
    info: { title, version, summary: 'Lists things', description: 'Lists things.', ...more },
    sourceDescriptions: [{ name: 'things', type: 'openapi', url: 'https://api.example.com/openapi.json' }],
    workflows: [
      {
        workflowId: 'list',
        summary: 'List',
        description: 'Lists things.',
        steps: [
          {
            stepId: 'list',
            description: 'Lists them.',
            operationId: 'listThings',
            successCriteria: [{ condition: '$statusCode == 200' }],
          },
        ],
      },
    ],
  })

const dull = new Set(['description', 'summary', 'contact', 'license'])

/** The same document without what only people read: it stays valid and has findings. */
export const plainText = (text: string): string => {
  const document = JSON.parse(text) as { info: object; workflows?: object[] }
  const strip = (it: object): object => Object.fromEntries(Object.entries(it).filter(([key]) => !dull.has(key)))
  const workflows = document.workflows?.map(strip)
  return JSON.stringify({ ...document, info: strip(document.info), ...(workflows === undefined ? {} : { workflows }) })
}
