/** What stands beside the reader of a page: a service, a forge, a receiver of webhooks, servers that are called. All on loopback. */
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../../db/open.ts'
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
  return { fill: { 'http://localhost:8080': server.url.origin }, stop: () => server.stop(true) }
}
