/** What is beside the rule set when its cases run: rules that apply to none of them, and a document that describes them. */
import { type Exception, type Policy, type Rule } from '../../src/gateway-policy/model.ts'
import type { Json } from '../../src/kernel/json.ts'
import type { Case } from './crs-cases.ts'

const at = '2026-01-01T00:00:00.000Z'
const dayMs = 86_400_000

const ruleOf = (order: number, rule: Pick<Rule, 'action' | 'expression'> & Partial<Rule>): Rule => ({
  id: `r${order}`,
  name: `Rule ${order}`,
  enabled: true,
  status: null,
  order,
  reason: 'A check',
  groups: [],
  rate: null,
  version: 1,
  createdBy: null,
  createdAt: at,
  ...rule,
})

/**
 * Rules of every action that apply to no case, one that logs every case, and exceptions for other places.
 * @param now in milliseconds since the epoch: exceptions end after it
 */
export function otherRules(now: number): Pick<Policy, 'rules' | 'exceptions'> {
  const rules = [
    ruleOf(1, { action: 'block', expression: { field: 'http.path', op: 'starts', value: '/of-no-case' } }),
    ruleOf(2, {
      action: 'block',
      status: 404,
      expression: {
        and: [
          { field: 'http.header.x-of-no-case', op: 'exists' },
          { not: { field: 'ip.src', op: 'cidr', value: ['203.0.113.0/24'] } },
        ],
      },
    }),
    ruleOf(3, { action: 'log', expression: { not: { field: 'http.method', op: 'eq', value: 'OFNOCASE' } } }),
    ruleOf(4, {
      action: 'skip',
      groups: ['sqli', 'xss'],
      expression: { field: 'http.path', op: 'eq', value: '/of-no-case/search' },
    }),
    ruleOf(5, {
      action: 'allow',
      expression: {
        and: [
          { field: 'http.path', op: 'eq', value: '/of-no-case/health' },
          { field: 'ip.src', op: 'cidr', value: ['203.0.113.0/24'] },
        ],
      },
    }),
    ruleOf(6, { action: 'block', expression: { field: 'http.query.of_no_case', op: 'matches', value: '^[a-z]+$' } }),
    ruleOf(7, { action: 'block', expression: { field: 'http.cookie.of_no_case', op: 'contains', value: 'x' } }),
    ruleOf(8, { action: 'block', expression: { field: 'http.host', op: 'eq', value: 'of-no-case.example.com' } }),
  ]
  const exceptionOf = (id: string, scope: Exception['scope'], target: Exception['target']): Exception => ({
    id,
    scope,
    target,
    reason: 'A check',
    ticket: null,
    createdAt: at,
    createdBy: null,
    expiresAt: new Date(now + 29 * dayMs).toISOString(),
    removedAt: null,
    policyVersion: 1,
    approvalId: null,
  })
  const nowhere = { route: null, path: '/of-no-case/*', method: null }
  const exceptions = [
    exceptionOf('e1', { ...nowhere, field: 'query:q' }, { groups: ['sqli'], ruleRefs: [] }),
    exceptionOf('e2', { ...nowhere, field: null }, { groups: [], ruleRefs: ['crs:942100'] }),
    exceptionOf('e3', { ...nowhere, method: 'POST', field: 'json:/name' }, { groups: ['xss'], ruleRefs: [] }),
  ]
  return { rules, exceptions }
}

export type Described = Json

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']

/** A document whose operations are the paths and methods of the cases, with every body and the names of their queries. */
export function describing(cases: readonly Case[]): Described {
  const paths: Record<string, Record<string, Json>> = {}
  const names: Record<string, Set<string>> = {}
  for (const { request } of cases) {
    const [path = '', query = ''] = request.uri.split('?')
    if (!/^\/[\w./-]*$/.test(path) || !methods.includes(request.method)) continue
    const method = request.method.toLowerCase()
    paths[path] ??= {}
    const known = (names[`${method} ${path}`] ??= new Set())
    for (const part of query.split('&')) {
      const name = part.split('=')[0] ?? ''
      if (/^[\w.-]+$/.test(name)) known.add(name)
    }
    const parameters = [...known].map((name) => ({ name, in: 'query', schema: {} }))
    paths[path][method] = {
      parameters,
      requestBody: { content: { '*/*': {} } },
      responses: { 200: { description: 'Done' } },
    }
  }
  return { openapi: '3.1.0', info: { title: 'Cases', version: '1' }, paths }
}
