/**
 * Compares what custom rules mean with what an engine does: random expressions are compiled, random requests are sent through Coraza
 * (needs Go) or nginx with ModSecurity, and every verdict is compared with that of the evaluator. Each expression is that of a rule that
 * blocks, and of one that lets pass before another one that blocks. Half of the paths are such as servers read in several ways.
 *
 *     node scripts/bun.mjs run scripts/gateway-differential.ts [RULES] [SEED] [coraza|nginx]
 */
import fc from 'fast-check'
import { compileRelease } from '../src/gateway/compile/index.ts'
import { evaluate, type RequestRecord } from '../src/gateway-policy/evaluate.ts'
import { firstPolicy, type Policy } from '../src/gateway-policy/model.ts'
import { leanOf } from '../src/gateway-policy/path-reading.ts'
import { printExpression } from '../src/gateway-policy/text.ts'
import { oddRequests, pathTrees, trees, wholeRequests } from '../test/src/gateway-policy/arbitrary.ts'
import { ruleOf } from '../test/src/gateway-policy/policy.ts'
import { Coraza, type EngineRequest } from './gateway/coraza.ts'
import { Nginx } from './gateway/nginx.ts'

/** Cookies have no escapes: their names and values are plain. */
const cookiesOf = (record: RequestRecord) =>
  Object.fromEntries(
    Object.entries(record.cookies ?? {}).flatMap(([name, values]) => {
      const plain = values.filter((value) => /^[\w/*]+$/.test(value))
      return /^[\w-]+$/.test(name) && plain.length > 0 ? [[name, plain] as const] : []
    }),
  )

function requestOf(record: RequestRecord): EngineRequest {
  const query = Object.entries(record.query ?? {}).flatMap(([name, values]) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  )
  const headers = Object.entries(record.headers ?? {}).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  )
  const cookies = Object.entries(record.cookies ?? {}).flatMap(([name, values]) =>
    values.map((value) => `${name}=${value}`),
  )
  const body = 'x'.repeat(record.bodySize ?? 0)
  return {
    ip: record.ip ?? '',
    method: record.method ?? 'GET',
    uri: (record.path ?? '/') + (query.length === 0 ? '' : `?${query.join('&')}`),
    protocol: 'HTTP/1.1',
    headers: [
      ['Host', `${record.host ?? ''}:8080`],
      ...headers,
      ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
      ...(body === '' ? [] : [['Content-Length', String(body.length)] as const]),
    ],
    body: btoa(body),
  }
}

const [, , given = '300', seedText = '1', name = 'coraza'] = process.argv
const [count, seed] = [Number(given), Number(seedText)]
const expressions = fc.sample(fc.oneof(trees, pathTrees), { numRuns: count, seed })
const requests = fc.sample(fc.oneof(wholeRequests, oddRequests), { numRuns: count * 8, seed })
const off: Policy = { ...firstPolicy('off'), presets: { ...firstPolicy('off').presets, bot: 'off' } }
const isNginx = name === 'nginx'
await using engine = isNginx ? await Nginx.start() : Coraza.build()
const statusOf = async (request: EngineRequest): Promise<number> =>
  engine instanceof Nginx
    ? engine.send({ ...request, ip: '127.0.0.1', body: atob(request.body) })
    : (await engine.send(request)).status
let [compared, left, refused] = [0, 0, 0]
const wrong: string[] = []
/** Blocks what was not let pass: no request comes from there. */
const others = ruleOf({
  id: 'r2',
  order: 20,
  expression: { not: { field: 'ip.src', op: 'cidr', value: ['192.0.2.1/32'] } },
})
for (const [place, expression] of expressions.flatMap((it) => [it, it]).entries()) {
  const index = place >> 1
  const action = place % 2 === 0 ? 'block' : 'allow'
  const rule = ruleOf({ expression, action })
  const policy = { ...off, rules: action === 'block' ? [rule] : [rule, others] }
  const { files, settings } = compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document: null,
    dialect: isNginx ? 'modsecurity' : 'coraza',
    releaseId: 'r',
    crs: 'bundled',
  })
  const setting = settings.find((it) => it.setting === 'rule:r1')
  // Patterns that count bytes are reported as approximated.
  if (setting?.state === 'not-enforced' || setting?.reason?.includes('bytes') === true) {
    left++
    continue
  }
  await engine.load(files)
  for (const request of requests.slice(index * 8, index * 8 + 8)) {
    // The template of an operation is not part of a request.
    const local = isNginx ? { ip: '127.0.0.1' } : {}
    const { route: _, ...sent } = { ...request, cookies: cookiesOf(request), ...local }
    const truth = evaluate(expression, sent, leanOf(action))
    if (truth === 'unknown') continue
    const expected = truth === (action === 'block')
    const status = await statusOf(requestOf(sent))
    // nginx refuses what cannot be the name of a host before any rule is asked.
    if (isNginx && status === 400) continue
    compared++
    if (status === 403) refused++
    if ((status === 403) !== expected)
      wrong.push(
        `${action} ${printExpression(expression)}\n  ${JSON.stringify(sent)}\n  expected ${String(expected)}, status ${status}`,
      )
  }
}
console.log(
  `${count * 2} rules, ${left} left out; ${compared} verdicts compared, ${refused} refused, ${wrong.length} differ`,
)
for (const it of wrong.slice(0, 10)) console.log(it)
process.exitCode = wrong.length === 0 ? 0 : 1
