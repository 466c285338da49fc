/**
 * Runs the regression cases of the OWASP Core Rule Set with and without the rules of svc beside it, and compares what becomes of each case:
 * the verdict, and the rules of the rule set that found something. Rules of a policy that do not apply to a case and a document that
 * describes it change nothing. A case that svc refuses first is counted as such, because the rule set never sees it whole: the document does not
 * describe it, or servers read its path in several ways, so that each rule that blocks by a path applies.
 *
 *     node scripts/bun.mjs run scripts/gateway-crs-beside.ts [--engine=coraza|nginx] [--cases=FOLDER]
 *
 * Needs Go for the cases and for Coraza, and the Debian packages nginx, libnginx-mod-http-modsecurity and modsecurity-crs for nginx (the rule set
 * is 3.3 there: the cases are no statement about it, and are sent as requests). Exit code 1 where anything differs.
 */
import { parseArgs } from 'node:util'
import type { DialectName } from '../src/gateway/dialects/index.ts'
import { firstPolicy, positiveChecks, type Policy, type PositiveCheck } from '../src/gateway-policy/model.ts'
import { releaseFiles } from './gateway/release-files.ts'
import { Coraza } from './gateway/coraza.ts'
import { defaultFolder, readCases, type Case } from './gateway/crs-cases.ts'
import { otherRules, describing, type Described } from './gateway/crs-beside.ts'
import { Nginx } from './gateway/nginx.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { engine: { type: 'string' }, cases: { type: 'string' } },
})
const cases = readCases(values.cases ?? defaultFolder())
const described = describing(cases)

/** What became of a case: the status, 0 where it passed, and the rules that found something. */
interface Outcome {
  readonly status: number
  readonly ids: ReadonlySet<number>
}
interface Engine {
  readonly dialect: DialectName
  readonly load: (policy: Policy, document: unknown) => Promise<void>
  readonly run: () => Promise<Outcome[]>
}

const corazaOf = (engine: Coraza): Engine => ({
  dialect: 'coraza',
  load: async (policy, document) => void (await engine.load(releaseFiles(policy, document, 'coraza'))),
  run: async () =>
    (await engine.sendAll(cases.map(({ request }) => request))).map(({ status, ids }) => ({
      status,
      ids: new Set(ids),
    })),
})

/** Each case has an address of its own, by which its lines of the log are found. */
const addressOf = (at: number): string => `127.${1 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`

const nginxOf = (engine: Nginx): Engine => ({
  dialect: 'modsecurity',
  load: (policy, document) => engine.load(releaseFiles(policy, document, 'modsecurity')),
  async run() {
    const statuses: number[] = []
    for (const [at, { request }] of cases.entries()) {
      const body = Buffer.from(request.body, 'base64').toString('latin1')
      const { method, uri, headers } = request
      const sent = engine.send({ method, uri, headers, body, ip: addressOf(at) })
      // A request that nginx ends without an answer never reaches the engine.
      statuses.push(await sent.catch(() => -1))
    }
    const found = engine.found()
    return statuses.map((status, at) => ({
      status: status === 200 ? 0 : status,
      ids: found.get(addressOf(at)) ?? new Set<number>(),
    }))
  },
})

const isOfRuleSet = (id: number): boolean => id >= 900_000 && id < 1_000_000
const ofRuleSet = ({ ids }: Outcome): string =>
  [...ids]
    .filter(isOfRuleSet)
    .toSorted((a, b) => a - b)
    .join(' ')
/** Without the rules that only decide which others are looked at. */
const findingsOf = ({ ids }: Outcome): string => [...ids].filter((id) => id < 900_000 || id % 1000 > 99).join(' ')
/** Whether the rule set saw to the end what its case says: all expected rules, and none of the others. */
const isMet = ({ expected, forbidden }: Case, { ids }: Outcome): boolean =>
  expected.every((id) => ids.has(id)) && !forbidden.some((id) => ids.has(id))

const modeOf = (mode: 'log' | 'block'): Policy['positive'] => {
  const checks = Object.fromEntries(positiveChecks.map((it) => [it, mode])) as Record<PositiveCheck, typeof mode>
  return { projectId: 'p', version: 'latest', mode, checks, stripPrefix: null }
}

interface Beside {
  readonly name: string
  readonly policy: Partial<Policy>
  readonly document: Described | null
}
const beside: readonly Beside[] = [
  { name: 'rules and exceptions of a policy', policy: otherRules(Date.now()), document: null },
  { name: 'the document, all checks log', policy: { positive: modeOf('log') }, document: described },
  { name: 'the document, all checks block', policy: { positive: modeOf('block') }, document: described },
  {
    name: 'all of these',
    policy: { ...otherRules(Date.now()), positive: modeOf('block') },
    document: described,
  },
]

let failures = 0

/** The rules by which the rule set refuses. */
const refusing = [949_110, 949_111]
/** Whether a rule of svc ended the request before the rule set saw all of it. */
const isRefusedByOurs = ({ status, ids }: Outcome): boolean =>
  status > 0 && !refusing.some((id) => ids.has(id)) && [...ids].some((id) => id < 900_000)

function compare(name: string, before: readonly Outcome[], after: readonly Outcome[]): void {
  let [refused, verdicts, lists, metBefore, metAfter] = [0, 0, 0, 0, 0]
  const shown: string[] = []
  for (const [at, it] of cases.entries()) {
    const [was, is] = [before[at] as Outcome, after[at] as Outcome]
    if (isRefusedByOurs(is) && !isRefusedByOurs(was)) {
      refused++
      continue
    }
    if (isMet(it, was)) metBefore++
    if (isMet(it, is)) metAfter++
    if (was.status !== is.status) verdicts++
    if (ofRuleSet(was) !== ofRuleSet(is)) lists++
    if (was.status !== is.status || ofRuleSet(was) !== ofRuleSet(is))
      shown.push(`  ${it.name}: ${was.status} [${findingsOf(was)}] → ${is.status} [${findingsOf(is)}]`)
  }
  const compared = cases.length - refused
  console.log(
    `  ${name}: ${compared} of ${cases.length} compared, ${refused} refused by svc first; ${verdicts} verdicts differ, ${lists} lists of rules differ` +
      `; met ${metBefore} → ${metAfter}`,
  )
  for (const line of shown.slice(0, 10)) console.log(line)
  failures += verdicts + lists
}

async function check(engine: Engine): Promise<void> {
  for (const presets of [{ tier: 'standard' }, { paranoia: 4 }] as const) {
    const first = firstPolicy('standard')
    const base: Policy = { ...first, presets: { ...first.presets, bot: 'off', ...presets } }
    await engine.load(base, null)
    const before = await engine.run()
    console.log(
      `${engine.dialect}, ${JSON.stringify(presets)}: ${before.filter(({ status }) => status !== 0).length} refused`,
    )
    // What two runs without any change differ in is nothing that rules do.
    compare('nothing', before, await engine.run())
    for (const { name, policy, document } of beside) {
      await engine.load({ ...base, ...policy }, document)
      compare(name, before, await engine.run())
    }
  }
}

if (values.engine !== 'nginx') {
  await using engine = Coraza.build()
  await check(corazaOf(engine))
}
if (values.engine !== 'coraza') {
  await using engine = await Nginx.start()
  await check(nginxOf(engine))
}
process.exitCode = failures === 0 ? 0 : 1
