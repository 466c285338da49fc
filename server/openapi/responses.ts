/** The answers of an operation in the published description: success, refusals and the headers of each. */
import type { AnswerHeader, Endpoint } from '../../src/api/endpoint.ts'
import { catalogue, type Code } from '../../src/errors.ts'
import type { Components } from './components.ts'
import { exampleOf } from './examples.ts'

type Plain = Record<string, unknown>

const text = (description: string, example: string): Plain => ({
  description,
  schema: { type: 'string' },
  example,
})

/** Every header that an answer may carry, by its name. */
export const headers: Readonly<Record<string, Plain>> = {
  'X-Request-Id': text(
    'Id of the request, for support and logs. A caller may choose it.',
    '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37',
  ),
  'X-Api-Version': text('Version of this API.', '1.204.1'),
  ETag: text('Changes with the content; send it in If-None-Match or If-Match.', '"7d865e959b246691"'),
  Location: text('Address of what was created or accepted.', '/v1/imports/01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37'),
  Deprecation: text('Since when the version is deprecated (RFC 9745).', '@1768469400'),
  'X-Svc-Unresolved': text('How many references of the document find nothing; absent where all are resolved.', '2'),
  Sunset: text('When the version is retired (RFC 8594).', 'Thu, 31 Dec 2026 23:59:59 GMT'),
  Link: text(
    'The version that replaces it (RFC 8288).',
    '</v1/schema/acme/train-travel/2.0.0>; rel="successor-version"',
  ),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 30 },
  'WWW-Authenticate': text('How to authenticate (RFC 9110).', 'Bearer'),
  Allow: text('Methods that this path has.', 'GET, HEAD, POST'),
}

const refer = (...names: string[]): Plain =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const everyAnswer = ['X-Request-Id', 'X-Api-Version'] as const

/** Codes that every operation of this kind may answer, whatever its declaration lists. */
export function impliedCodes(endpoint: Endpoint): Code[] {
  const codes: Code[] = ['request-invalid', 'request-malformed', 'internal']
  if (endpoint.access.anonymous !== true) {
    codes.push('credentials-missing', 'credentials-invalid', 'permission-denied', 'scope-denied', 'person-required')
    if (endpoint.path.includes('{tenant_slug}'))
      codes.push('tenant-access-denied', 'tenant-not-found', 'membership-suspended', 'second-factor-setup-required')
    if (endpoint.access.from !== undefined) codes.push('browser-session-required')
    if (endpoint.access.from === 'operator') codes.push('operator-required', 'second-factor-setup-required')
  } else if (endpoint.access.credentials === 'optional') codes.push('credentials-invalid')
  if (endpoint.body) codes.push('body-too-large', 'media-type-unsupported')
  if (endpoint.errors.includes('analysis-stopped')) codes.push('service-stopping')
  return codes
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function refusals(endpoint: Endpoint): Plain {
  const byStatus = Map.groupBy(
    new Set([...endpoint.errors, ...impliedCodes(endpoint)]),
    (code) => catalogue[code].status,
  )
  const responses: Plain = { '405': { $ref: '#/components/responses/MethodNotAllowed' } }
  for (const [status, codes] of byStatus) {
    const error = { $ref: '#/components/schemas/Error' }
    const validation = { $ref: '#/components/schemas/HTTPValidationError' }
    const invalid = codes.length > 1 ? { anyOf: [validation, error] } : validation
    const schema = status === 422 ? invalid : error
    responses[String(status)] = {
      description: `One of: ${codes.toSorted().join(', ')}.`,
      headers: refer(...everyAnswer, ...(headersOfStatus[status] ?? [])),
      content: { 'application/json': { schema }, 'application/problem+json': { schema: problem } },
    }
  }
  return responses
}

const sarif: Plain = { type: 'object', description: 'SARIF 2.1.0 log (OASIS).' }
const problem: Plain = { $ref: '#/components/schemas/Problem' }

const namesOf: Readonly<Record<AnswerHeader, string>> = {
  etag: 'ETag',
  location: 'Location',
  deprecation: 'Deprecation',
  sunset: 'Sunset',
  link: 'Link',
  'x-svc-unresolved': 'X-Svc-Unresolved',
}

function success(endpoint: Endpoint, components: Components, name: string): Plain {
  const status = endpoint.status ?? 200
  const own = (endpoint.answerHeaders ?? []).map((header) => namesOf[header])
  const carried = refer(...everyAnswer, ...own)
  if (status === 204) return { '204': { description: 'Done; the answer has no content.', headers: carried } }
  if (status === 302) return { '302': { description: 'Redirects.', headers: { ...carried, ...refer('Location') } } }
  const schema = components.refer(endpoint.response, name)
  const types = endpoint.produces ?? ['application/json']
  const content = Object.fromEntries(
    types.map((type) => {
      if (/^text\/|xml$/.test(type)) return [type, { schema: { type: 'string' } }]
      if (type === 'application/sarif+json') return [type, { schema: sarif }]
      return [type, { schema, example: exampleOf(schema, '', components.schemas) }]
    }),
  )
  const answers: Plain = {
    [String(status)]: { description: status === 202 ? 'Accepted.' : 'Success.', headers: carried, content },
  }
  if (endpoint.mayBeQueued === true) answers['202'] = { description: 'A job does the work.', headers: carried, content }
  if (endpoint.mayBeEmpty === true)
    answers['204'] = { description: 'There is nothing; the answer has no content.', headers: carried }
  if (own.includes('ETag') && endpoint.method === 'GET')
    answers['304'] = { description: 'Not modified: If-None-Match names the current ETag.', headers: carried }
  return answers
}

/** All answers of an operation, by status. */
export function responsesOf(it: Endpoint, components: Components, name: string): Plain {
  const all = { ...success(it, components, name), ...refusals(it) }
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => Number(a) - Number(b)))
}

/** Answers that every path shares. */
export const sharedResponses: Plain = {
  MethodNotAllowed: {
    description: 'The path does not have this method; Allow lists those it has.',
    headers: refer(...everyAnswer, 'Allow'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}
