/**
 * Compares what the fake GitHub of the tests answers with GitHub's published description, so that tests prove something about GitHub.
 * Every property of an answer must be described there, with its type. Run it when an answer of the fake changes:
 *   npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz package/generated/api.github.com.json
 *   node scripts/bun.mjs run scripts/provider-shapes.ts package/generated/api.github.com.json
 */
import { generateKeyPairSync } from 'node:crypto'
import { GitHubApps } from '../server/hosting/github-app.ts'
import { GitHosts } from '../server/hosting/hosts.ts'
import { ProviderApi } from '../server/hosting/provider.ts'
import { parseNetworks } from '../server/egress/address.ts'
import { clockOf } from '../db/clock.ts'
import { startFakeProvider } from '../test/fixtures/fake-provider.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Schema = Readonly<Record<string, unknown>>

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('give the path of api.github.com.json of @octokit/openapi')
const description = (await Bun.file(file).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Schema }>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

/** Follows a reference to a component. */
function resolve(schema: Schema): Schema {
  const ref = schema['$ref']
  if (typeof ref !== 'string') return schema
  const [group = '', name = ''] = ref.replace('#/components/', '').split('/')
  return resolve(description.components[group]?.[name] ?? {})
}

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

function typesOf(schema: Schema): readonly string[] | null {
  const { type, nullable } = schema
  if (type === undefined) return null
  return [...(Array.isArray(type) ? (type as string[]) : [String(type)]), ...(nullable === true ? ['null'] : [])]
}

/** What of a value a schema does not describe; required properties that are left out are not looked at. */
function differences(value: Json, given: Schema, place: string): readonly string[] {
  const schema = resolve(given)
  const parts = schema['allOf'] as readonly Schema[] | undefined
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (choices !== undefined) {
    const found = choices.map((one) => differences(value, one, place))
    return found.find((one) => one.length === 0) ?? found[0] ?? []
  }
  const types = typesOf(schema)
  const type = typeOf(value)
  const fits = types === null || types.includes(type) || (type === 'integer' && types.includes('number'))
  if (!fits) return [`${place}: ${type} where ${types.join(' or ')} is described`]
  if (Array.isArray(value))
    return value.flatMap((one, n) => differences(one as Json, (schema['items'] ?? {}) as Schema, `${place}[${n}]`))
  if (type !== 'object') return []
  const all = [schema, ...(parts ?? []).map(resolve)]
  const known = Object.assign({}, ...all.map((one) => one['properties'] ?? {})) as Readonly<Record<string, Schema>>
  const isOpen = all.some((one) => typeof one['additionalProperties'] === 'object')
  return Object.entries(value as Readonly<Record<string, Json>>).flatMap(([name, one]) => {
    const own = known[name]
    if (own !== undefined) return differences(one, own, `${place}.${name}`)
    return isOpen || Object.keys(known).length === 0 ? [] : [`${place}.${name}: not described`]
  })
}

const fake = startFakeProvider('github')
const hosts = new GitHosts([{ host: fake.host, provider: 'github', scheme: 'http' }])
const api = new ProviderApi(parseNetworks('127.0.0.0/8'), hosts)
const apps = new GitHubApps(api)
const signal = AbortSignal.timeout(60_000)
const wrong: string[] = []
let compared = 0

/** Asks the fake and compares its answer with what is published for the path. */
async function compare(token: string, method: string, path: string, published: string, body?: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`http://${fake.host}/api/v3${path}`, { method, headers, ...sent, signal })
  const value = (await answer.json()) as Json
  const responses = description.paths[published]?.[method.toLowerCase()]?.responses ?? {}
  const response = resolve((responses[String(answer.status)] ?? {}) as Schema)
  const content = response['content'] as Readonly<Record<string, { readonly schema: Schema }>> | undefined
  const schema = content?.['application/json']?.schema
  compared++
  if (schema === undefined) wrong.push(`${method} ${published}: ${answer.status} is not described`)
  else wrong.push(...differences(value, schema, `${method} ${published}`))
  return value
}

try {
  const manifest = {
    name: 'svc',
    url: 'http://svc.test',
    redirect_url: 'http://svc.test/',
    default_permissions: { contents: 'read' },
  }
  const page = (action: string) => ` action="${action}" value="${JSON.stringify(manifest).replaceAll('"', '&quot;')}"`
  const code = () =>
    fake.app.postManifest(page(`http://${fake.host}/settings/apps/new?state=s`)).searchParams.get('code') ?? ''
  await compare('', 'POST', `/app-manifests/${code()}/conversions`, '/app-manifests/{code}/conversions')
  const made = await apps.convert(fake.host, code(), signal)
  fake.tokens.set('person', { login: 'ada' })
  fake.repositories.push('acme/shop')
  fake.app.installations.set(12, {
    login: 'ada',
    repositories: ['acme/shop'],
    seenBy: new Map(),
    permissions: { contents: 'read' },
    suspendedAt: null,
  })
  const key = { host: fake.host, appId: made.appId, privateKey: made.privateKey }
  const installed = await apps.tokenOf(key, '12', clockOf())
  fake.pulls.open.push({ number: 7, branch: 'feature', target: 'main' })
  const comments = '/repos/{owner}/{repo}/issues/{issue_number}/comments'
  await compare('person', 'GET', '/user', '/user')
  await compare('person', 'GET', '/user/repos?per_page=1&page=1', '/user/repos')
  await compare('person', 'GET', '/user/installations', '/user/installations')
  await compare(
    'person',
    'GET',
    '/user/installations/12/repositories',
    '/user/installations/{installation_id}/repositories',
  )
  await compare(installed, 'GET', '/installation/repositories', '/installation/repositories')
  await compare('person', 'GET', '/repos/acme/shop/pulls', '/repos/{owner}/{repo}/pulls')
  await compare('person', 'POST', '/repos/acme/shop/issues/7/comments', comments, { body: 'x' })
  await compare('person', 'GET', '/repos/acme/shop/issues/7/comments', comments)
  await compare(
    'person',
    'POST',
    `/repos/acme/shop/statuses/${'a'.repeat(40)}`,
    '/repos/{owner}/{repo}/statuses/{sha}',
    {},
  )
  // A key of another App is refused, as GitHub does.
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString()
  const refused = await apps.installation({ ...key, privateKey: other }, '12', clockOf(), signal).then(
    () => false,
    () => true,
  )
  if (!refused) wrong.push('a key of another App is taken')
} finally {
  await fake.stop()
}

for (const one of wrong) console.error(one)
console.log(`${compared} answers compared, ${wrong.length} differences`)
process.exit(wrong.length === 0 ? 0 : 1)
