/**
 * Runs the regression cases of the OWASP Core Rule Set through Coraza with configurations that svc compiled, and compares every verdict
 * with that of the rule set as its own files set it up. Needs Go.
 *
 *     node scripts/bun.mjs run scripts/gateway-crs.ts [FOLDER]
 *
 * FOLDER holds the cases (`REQUEST-…/NNNNNN.yaml`); without it, those of the module coraza-coreruleset are used.
 */
import { compileRelease } from '../src/gateway/compile/index.ts'
import { groupOf, type GroupId } from '../src/gateway-policy/catalogue.ts'
import { firstPolicy, levelsOf, type Policy, type Presets } from '../src/gateway-policy/model.ts'
import { Coraza, type EngineAnswer } from './gateway/coraza.ts'
import { defaultFolder, readCases, type Case } from './gateway/crs-cases.ts'

const withPresets = (presets: Partial<Presets>, groups: Policy['groups'] = {}): Policy => {
  const first = firstPolicy('standard')
  return { ...first, presets: { ...first.presets, bot: 'off', ...presets }, groups }
}

const filesOf = (policy: Policy) =>
  compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document: null,
    dialect: 'coraza',
    releaseId: 'r',
    crs: 'bundled',
  }).files

/** The rule set as its own example sets it up, with levels. */
const reference = ({
  blocking,
  detection,
  threshold,
}: ReturnType<typeof levelsOf>): string => `Include @coraza.conf-recommended
Include @crs-setup.conf.example
SecRuleEngine On
SecAuditEngine Off
SecAction "id:1,phase:1,pass,nolog,setvar:tx.blocking_paranoia_level=${blocking},setvar:tx.detection_paranoia_level=${detection},setvar:tx.inbound_anomaly_score_threshold=${threshold}"
Include @owasp_crs/*.conf
`

const cases = readCases(process.argv[2] ?? defaultFolder())
const attacks = cases.filter(({ expected }) => expected.length > 0).length
console.log(`${cases.length} cases of one request, ${attacks} of them attacks`)
await using engine = Coraza.build()
const run = (): Promise<EngineAnswer[]> => engine.sendAll(cases.map(({ request }) => request))
const isRefused = ({ status }: EngineAnswer): boolean => status !== 0
let failures = 0

for (const presets of [
  { tier: 'basic' },
  { tier: 'standard' },
  { tier: 'strict' },
  { paranoia: 3 },
  { paranoia: 4 },
] as const) {
  const policy = withPresets(presets)
  await engine.loadText(reference(levelsOf(policy.presets)))
  const expected = await run()
  const milliseconds = await engine.load(filesOf(policy))
  const found = await run()
  const differing = cases.filter(
    (_, index) => isRefused(expected[index] as EngineAnswer) !== isRefused(found[index] as EngineAnswer),
  )
  const blocked = (isAttack: boolean) =>
    found.filter((it, index) => isRefused(it) && (cases[index] as Case).expected.length > 0 === isAttack).length
  console.log(
    `${JSON.stringify(presets)}: ${blocked(true)} of ${attacks} attacks blocked (${((100 * blocked(true)) / attacks).toFixed(1)} %), ${blocked(false)} of ${cases.length - attacks} others; ` +
      `${differing.length} verdicts differ from the rule set's own configuration; loaded in ${milliseconds} ms`,
  )
  for (const it of differing.slice(0, 20)) {
    const index = cases.indexOf(it)
    const ids = (answers: readonly EngineAnswer[]) =>
      `${answers[index]?.status} [${answers[index]?.ids.filter((id) => id >= 911_000 && id % 1000 > 99 && id < 949_000).join(' ')}]`
    console.log(
      `  ${it.name} ${it.request.method} ${JSON.stringify(it.request.headers.filter(([name]) => /content-type/i.test(name)))}: ${ids(expected)} → ${ids(found)}`,
    )
  }
}

for (const [group, mode] of [
  ['sqli', 'off'],
  ['sqli', 'log'],
  ['xss', 'log'],
  ['protocol', 'log'],
] as const satisfies readonly (readonly [GroupId, 'off' | 'log'])[]) {
  await engine.load(filesOf(withPresets({})))
  const before = await run()
  await engine.load(filesOf(withPresets({}, { [group]: { mode, reason: 'x' } })))
  const after = await run()
  const files = groupOf(group)?.files ?? []
  let [own, other, lost, newly] = [0, 0, 0, 0]
  for (const [index, it] of cases.entries()) {
    const [was, is] = [before[index] as EngineAnswer, after[index] as EngineAnswer]
    if (isRefused(was) !== isRefused(is)) {
      if (files.includes(it.file)) own++
      else other++
      if (isRefused(is)) newly++
    } else if (mode === 'log') {
      const mine = was.ids.filter((id) => files.includes(String(id).slice(0, 3)) && id % 1000 > 99)
      if (mine.some((id) => !is.ids.includes(id))) lost++
    }
  }
  console.log(
    `${group} ${mode}: the verdict of ${own} own cases and ${other} others changed, ${newly} to a refusal; rules lost in ${lost} cases`,
  )
  failures += newly + lost
}
process.exitCode = failures === 0 ? 0 : 1
