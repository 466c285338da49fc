import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Endpoint } from '../../src/api/endpoint.ts'
import type { Grant } from '../auth/door.ts'
import { isRest, type Operations, paramsOf, placeholdersOf } from './operations.ts'
import { declaredParts, readParts } from './read-request.ts'
import { rememberRoute } from './request-route.ts'
import { checkSent, type PartName } from './validation.ts'

/** What the hooks of an operation leave for the next one, in Elysia's context of the request. */
interface OperationContext {
  readonly request: Request
  grant: Grant
  mediaType: string | null
  params?: unknown
  query?: unknown
  headers?: unknown
  body?: unknown
}

/**
 * A path template as Elysia has it. Parameters are named by position, because the router wants one name for one place over
 * all paths.
 */
export const routerPathOf = (template: string): string => {
  const segments = template.split('/')
  const nameOf = (name: string | null, index: number): string | undefined => {
    if (name === null) return segments[index]
    return isRest(name) ? '*' : `:p${index}`
  }
  return placeholdersOf(template).map(nameOf).join('/')
}

/** The paths of an operation: its own, and the one that it had before. */
export const templatesOf = ({ path, formerPath }: Endpoint): readonly string[] =>
  formerPath === undefined ? [path] : [path, formerPath]

/**
 * A TypeBox schema of a contract that Elysia checks through the interface of Standard Schema. A bare TypeBox schema would
 * answer otherwise than the contract (test/server/http/elysia.test.ts shows each): Elysia drops unknown properties or refuses
 * them in queries too, refuses "1" for an integer of a query and takes "0x10" for a number, and words errors its own way.
 * @throws ValidationError from the check itself: Elysia's own error would repeat the whole body in its message
 */
const checkedBy = (where: PartName, schema: TSchema): TSchema => ({
  ...schema,
  '~standard': {
    version: 1,
    vendor: 'svc',
    validate: (value: unknown) => ({ value: checkSent(where, schema, value) }),
  },
})

/** Given to Elysia in place of a body, so that it reads none before the credentials were looked at. */
const unread = (): null => null

/**
 * The hook before Elysia's validation: credentials (401), permission (403), then reading (413, 400). Elysia parses a body before
 * any other hook of a route.
 */
function letIn(endpoint: Endpoint, template: string, operations: Operations) {
  const names = placeholdersOf(template)
  const declared = declaredParts(endpoint)
  return async (context: OperationContext): Promise<void> => {
    const { request } = context
    rememberRoute(request, endpoint.path)
    const url = new URL(request.url)
    const params = paramsOf(names, url.pathname)
    context.grant = await operations.admit(endpoint, { request, url, params })
    const { input, mediaType } = await readParts(endpoint, { request, url, params })
    context.mediaType = mediaType
    for (const { part } of declared) context[part] = input[part]
  }
}

/**
 * A route of an operation: its lifecycle is credentials, permission, reading, Elysia's validation, and the handler. The parts of
 * the request are taken from the context by computed names: Elysia looks into the source of hooks and handlers, and reads
 * headers and query of every request itself where it finds their names.
 */
function addRoute(plugin: Elysia, endpoint: Endpoint, operations: Operations): void {
  const declared = declaredParts(endpoint)
  const handle = (context: OperationContext): Promise<Response> => {
    const { request, grant, mediaType } = context
    const input = Object.fromEntries(declared.map(({ part }) => [part, context[part]]))
    return operations.answer(endpoint, { request, grant, mediaType, input })
  }
  const schemas = Object.fromEntries(declared.map(({ part, where, schema }) => [part, checkedBy(where, schema)]))
  for (const template of templatesOf(endpoint)) {
    const hooks = { parse: [unread], transform: [letIn(endpoint, template, operations)], ...schemas }
    plugin.route(endpoint.method, routerPathOf(template), handle as never, hooks as never)
  }
}

/** The operations of one feature as a plugin of Elysia: a route for each, with the schemas of its contract. */
export function featurePlugin(name: string, endpoints: readonly Endpoint[], operations: Operations): Elysia {
  const plugin = new Elysia({ name, normalize: false })
  for (const endpoint of endpoints) addRoute(plugin, endpoint, operations)
  return plugin
}
