/**
 * Compiles random policies in which every text is one that would leave its place, and lets the engines load them: Coraza (needs Go) and
 * nginx with ModSecurity, as far as they are installed. Nothing that a policy says may keep an engine from loading.
 *
 *     node scripts/bun.mjs run scripts/gateway-loads.ts [COUNT] [SEED]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { nginx as nginxEngine } from '../src/gateway/engines/nginx.ts'
import { compileRelease } from '../src/gateway/compile/index.ts'
import type { DialectName } from '../src/gateway/dialects/index.ts'
import type { Policy } from '../src/gateway-policy/model.ts'
import { policies } from '../test/src/gateway/compile/arbitrary.ts'
import { Coraza, findGo, writeFiles } from './gateway/coraza.ts'

const filesOf = (policy: Policy, dialect: DialectName) =>
  compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document: null,
    dialect,
    releaseId: 'r',
    crs: 'bundled',
  }).files

/** Without the rule set, which takes long to load and is the same for all. */
const withoutTier = (policy: Policy, index: number): Policy =>
  index % 10 === 0 ? policy : { ...policy, presets: { ...policy.presets, tier: 'off' } }

const [, , given = '200', seed = '1'] = process.argv
const sample = fc.sample(policies, { numRuns: Number(given), seed: Number(seed) }).map(withoutTier)
let failures = 0
const failed = (engine: string, policy: Policy, message: string): void => {
  failures++
  if (failures <= 5) console.log(`${engine}: ${message.slice(0, 600)}\n${JSON.stringify(policy).slice(0, 2000)}`)
}

if (findGo() === undefined) console.log('coraza: Go is not installed')
else {
  await using engine = Coraza.build()
  for (const policy of sample)
    await engine.load(filesOf(policy, 'coraza')).catch((error: Error) => failed('coraza', policy, error.message))
  console.log(`coraza: ${sample.length} policies`)
}
const nginx = Bun.which('nginx')
if (nginx === null) console.log('nginx: it is not installed')
else {
  const folder = mkdtempSync(join(tmpdir(), 'svc-loads-'))
  for (const [index, policy] of sample.entries()) {
    const release = join(folder, String(index))
    writeFiles(release, filesOf(policy, 'modsecurity'))
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, nginxEngine.check?.text(release) ?? '')
    const { status, stderr } = spawnSync(nginx, ['-t', '-q', '-c', file], { encoding: 'utf8' })
    if (status !== 0) failed('nginx', policy, stderr)
  }
  rmSync(folder, { recursive: true })
  console.log(`nginx: ${sample.length} policies`)
}
console.log(`${failures} not loaded`)
process.exitCode = failures === 0 ? 0 : 1
