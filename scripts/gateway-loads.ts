/**
 * Compiles random policies and API descriptions in which every text is one that would leave its place, and lets the engines load them: Coraza (needs Go) and
 * nginx with ModSecurity, as far as they are installed. Nothing that a policy or a description says may keep an engine from loading.
 *
 *     node scripts/bun.mjs run scripts/gateway-loads.ts [COUNT] [SEED]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { nginx as nginxEngine } from '../src/gateway/engines/nginx.ts'
import type { DialectName } from '../src/gateway/dialects/index.ts'
import type { Policy } from '../src/gateway-policy/model.ts'
import { blocking, documents, policies } from '../test/src/gateway/compile/arbitrary.ts'
import { releaseFiles } from './gateway/release-files.ts'
import { Coraza, findGo, writeFiles } from './gateway/coraza.ts'

/** What a release is made of. */
interface Sample {
  readonly policy: Policy
  readonly document: unknown
}

const filesOf = ({ policy, document }: Sample, dialect: DialectName) => releaseFiles(policy, document, dialect)

/** Without the rule set, which takes long to load and is the same for all. */
const withoutTier = (policy: Policy, index: number): Policy =>
  index % 10 === 0 ? policy : { ...policy, presets: { ...policy.presets, tier: 'off' } }

const [, , given = '200', seed = '1'] = process.argv
const samples = fc
  .sample(fc.tuple(policies, fc.option(documents)), { numRuns: Number(given), seed: Number(seed) })
  .map(([policy, document], index): Sample => ({
    policy: withoutTier(document === null ? policy : blocking(policy), index),
    document,
  }))
let failures = 0
const failed = (engine: string, sample: Sample, message: string): void => {
  failures++
  if (failures <= 5) console.log(`${engine}: ${message.slice(0, 600)}\n${JSON.stringify(sample).slice(0, 3000)}`)
}

if (findGo() === undefined) console.log('coraza: Go is not installed')
else {
  await using engine = Coraza.build()
  for (const sample of samples)
    await engine.load(filesOf(sample, 'coraza')).catch((error: Error) => failed('coraza', sample, error.message))
  console.log(`coraza: ${samples.length} releases`)
}
const nginx = Bun.which('nginx')
if (nginx === null) console.log('nginx: it is not installed')
else {
  const folder = mkdtempSync(join(tmpdir(), 'svc-loads-'))
  for (const [index, sample] of samples.entries()) {
    const release = join(folder, String(index))
    writeFiles(release, filesOf(sample, 'modsecurity'))
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, nginxEngine.check?.text(release) ?? '')
    const { status, stderr } = spawnSync(nginx, ['-t', '-q', '-c', file], { encoding: 'utf8' })
    if (status !== 0) failed('nginx', sample, stderr)
  }
  rmSync(folder, { recursive: true })
  console.log(`nginx: ${samples.length} releases`)
}
console.log(`${failures} not loaded`)
process.exitCode = failures === 0 ? 0 : 1
