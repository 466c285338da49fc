/** A service with one project and a key of full access, asked over HTTP: for tests of versions. */
import type { Database } from '../../../db/database.ts'
import { tenants } from '../../../db/tables.gen.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { addApiKey } from '../auth/house.ts'
import { startService, type TestService } from '../service.ts'

export interface Answer {
  readonly status: number
  /** The parsed body where it is JSON, else its text. */
  readonly value: Record<string, unknown> & { readonly detail?: { readonly code?: string } }
  readonly text: string
  readonly headers: Headers
}

export interface Workshop extends TestService {
  readonly tenantId: string
  readonly key: string
  /** Asks below the versions of the project "pets", as the holder of the key. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Status and error code of an answer, for short tables. */
  brief(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<string>
}

export const petsBase = '/v1/tenants/local/projects/pets/versions'

/** An OpenAPI document with a comment, so that its bytes are nobody's but the author's. */
export const petsYaml = (version: string, paths = '{}'): string =>
  `openapi: 3.1.0\ninfo: { title: Pets, version: ${version} } # as the author wrote it\npaths: ${paths}\n`

export async function openWorkshop(db: Database, options: Parameters<typeof startService>[1] = {}): Promise<Workshop> {
  const it = await startService(db, options)
  const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
  const tenantId = tenant?.id ?? ''
  const key = await addApiKey(db, tenantId)
  await it.call(projectsApi.create, { params: { tenant_slug: it.tenant }, body: { name: 'Pets', slug: 'pets' } })
  const send: Workshop['send'] = async (method, path, body, headers = {}) => {
    const raw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
    const init = body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }
    const type: Record<string, string> = raw || body === undefined ? {} : { 'content-type': 'application/json' }
    const target = `http://localhost${path.startsWith('/v1') ? path : petsBase + path}`
    const all = { 'x-api-key': key, ...type, ...headers }
    const response = await it.service.handle(new Request(target, { method, headers: all, ...init }))
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    const value = (isJson && text !== '' ? JSON.parse(text) : { text }) as Answer['value']
    return { status: response.status, value, text, headers: response.headers }
  }
  const brief: Workshop['brief'] = async (...given) => {
    const { status, value } = await send(...given)
    return [status, value.detail?.code ?? value['status']].filter((one) => one !== undefined).join(' ')
  }
  return { ...it, tenantId, key, send, brief }
}
