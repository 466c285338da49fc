/** What stands beside the reader of a page: a service, a forge, a receiver of webhooks, servers that are called. All on loopback. */
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../../db/open.ts'
import { selfBase } from '../../src/api/gateway-enforcers.ts'
import { asLocalOwner } from '../../server/auth/local-owner.ts'
import { ensureLocalTenant } from '../../server/auth/local-tenant.ts'
import { addMember, addUser } from '../fixtures/accounts.ts'
import { forecastTool, startMcpServer } from '../fixtures/mcp-server.ts'
import { sharedPostgres } from '../fixtures/postgres.ts'
import { startService } from '../fixtures/service.ts'
import { startFakeProvider } from '../fixtures/fake-provider.ts'
import { makeRepositories, serveGitOverHttp } from '../server/sources/git-server.ts'
import { shopTree } from './documents.ts'
import type { Beside } from './reader.ts'

const allowed = '127.0.0.0/8'

/** An empty database of Postgres in the place of the one that the page names. */
export async function emptyPostgres(): Promise<Beside> {
  const server = await sharedPostgres()
  const name = `svc_docs_${crypto.randomUUID().replaceAll('-', '')}`
  const sql = postgres(new URL('/postgres', server).href, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create database ${name}`)
  const url = new URL(`/${name}`, server).href
  return {
    fill: { 'postgres://svc:PASSWORD@db/svc': url, 'postgres://svc:PASSWORD@db.example.com/svc': url },
    async stop() {
      await sql.unsafe(`drop database if exists ${name} with (force)`)
      await sql.end()
    },
  }
}

/** A service at the address of the page. */
export async function serviceAt(address: string, folder: string): Promise<Beside> {
  const db = await openDatabase({ kind: 'sqlite', path: join(folder, '.service', 'svc.db') })
  const { service } = await startService(db)
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => service.handle(request) })
  return {
    fill: { [address]: server.url.origin },
    async stop() {
      await server.stop(true)
      await service.stop(true)
      await db.close()
    },
  }
}

/**
 * A service with its workers that takes whoever asks for the owner, and a second address at which whoever asks is
 * ada@example.com, an Admin: `svc --base-url {ada}`.
 */
export async function ownService(folder: string): Promise<Beside> {
  const db = await openDatabase({ kind: 'sqlite', path: join(folder, '.service', 'svc.db') })
  const started = await startService(db, { egressAllow: allowed })
  const { tenantId } = await ensureLocalTenant(db, Date.now())
  const ada = await addUser(db, 'ada')
  await addMember(db, tenantId, ada, 'admin')
  const serve = (person: string) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) =>
        started.service.handle(
          new URL(request.url).pathname.startsWith(selfBase) ? request : asLocalOwner(request, person),
        ),
    })
  const servers = [serve(started.ownerId), serve(ada)]
  const [own = '', ofAda = ''] = servers.map(({ url }) => url.origin)
  return {
    fill: { '{ada}': ofAda },
    env: { SVC_BASE_URL: own, SVC_TENANT: started.tenant },
    async stop() {
      await Promise.all(servers.map((it) => it.stop(true)))
      await started.service.stop(true)
      await db.close()
    },
  }
}

/** What stands beside the reader, all of it. */
export const together =
  (...parts: readonly ((folder: string) => Promise<Beside>)[]) =>
  async (folder: string): Promise<Beside> => {
    const all = await Promise.all(parts.map((start) => start(folder)))
    return {
      fill: Object.assign({}, ...all.map(({ fill }) => fill)) as Record<string, string>,
      env: Object.assign({}, ...all.map(({ env }) => env)) as Record<string, string>,
      async stop() {
        for (const it of all) await it.stop()
      },
    }
  }

/** A host with an API description, as JSON. */
export async function documentHost(): Promise<Beside> {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.json(Bun.YAML.parse(shopTree['openapi.yaml'])),
  })
  return {
    fill: { 'https://example.com/openapi.json': `${server.url.origin}/openapi.json` },
    env: { SVC_EGRESS_ALLOW: allowed },
    stop: () => server.stop(true),
  }
}

/** A forge with the repository acme/specs, and accounts at it. */
export async function forge(): Promise<Beside> {
  const git = makeRepositories()
  git.create('acme/specs', shopTree)
  const served = serveGitOverHttp(git.root)
  const provider = startFakeProvider('gitlab')
  provider.gitUrl = served.url
  provider.repositories.push('acme/specs')
  provider.tokens.set('of-ada', { login: 'ada', scopes: ['read_repository', 'api'] })
  return {
    fill: {
      'account create github': `account create gitlab --host ${provider.host}`,
      'git.example.com': provider.host,
      'https://github.com/acme/specs': `http://${provider.host}/acme/specs/.git`,
      'https://github.com/acme/shop.git --path apis/openapi.yaml': `http://${provider.host}/acme/specs/.git --path openapi.yaml`,
      'create acme/specs': `create http://${provider.host}/acme/specs/.git`,
      '{specs}': join(git.root, 'acme/specs'),
    },
    env: { SVC_EGRESS_ALLOW: allowed, SVC_GIT_HOSTS: `${provider.host}=gitlab`, SVC_GIT_TOKEN: 'of-ada' },
    async stop() {
      await Promise.all([provider.stop(), served.stop()])
      git.remove()
    },
  }
}

const everything = resolve(import.meta.dir, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
/** A program that starts an MCP server, whatever it is asked. */
export const startsServer = `exec "${process.execPath}" "${everything}" stdio`

/** Two MCP servers that the service can reach. */
export async function mcpServers(): Promise<Beside> {
  const weather = startMcpServer()
  const geo = startMcpServer(({ rpc }) =>
    rpc === 'tools/list'
      ? {
          tools: [
            {
              ...forecastTool,
              name: 'find_place',
              outputSchema: {
                type: 'object',
                required: ['city'],
                properties: { city: { type: 'string' } },
                additionalProperties: false,
              },
            },
          ],
        }
      : undefined,
  )
  return {
    fill: {
      'https://weather.test/mcp': weather.url,
      'https://mcp.example.com/mcp': weather.url,
      'https://geo.test/mcp': geo.url,
    },
    env: { SVC_EGRESS_ALLOW: allowed, TOKEN: 'secret' },
    async stop() {
      await Promise.all([weather.stop(), geo.stop()])
    },
  }
}

/** A shop that answers its list of orders at the third attempt. */
export async function orderingShop(): Promise<Beside> {
  let lists = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/login') return Response.json({ token: 't' })
      if (pathname !== '/orders') return Response.json({ id: 'a' })
      lists += 1
      return lists % 3 === 0 ? Response.json([{ id: 'a' }]) : Response.json({}, { status: 503 })
    },
  })
  return {
    fill: { 'http://localhost:8080': server.url.origin, 'http://127.0.0.1:3000': server.url.origin },
    stop: () => server.stop(true),
  }
}
