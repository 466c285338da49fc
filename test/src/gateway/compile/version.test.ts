/** The number of the compiler follows what it writes: over a fixed set of documents and policies, of every kind of setting and engine. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { compileRelease, type CompileInput } from '../../../../src/gateway/compile/index.ts'
import { compilerVersion } from '../../../../src/gateway/compile/version.ts'
import { dialectNames } from '../../../../src/gateway/dialects/index.ts'
import { sha256Of } from '../../../../src/gateway/release/digest.ts'
import { positiveChecks, type PositiveCheck } from '../../../../src/gateway-policy/model.ts'
import { exceptionOf, policyOf, ruleOf } from '../../gateway-policy/policy.ts'
import { costDocument } from '../../../../scripts/gateway/cost-document.ts'
import { proofDocument } from '../../../../scripts/gateway/proof-rows.ts'
import { documents, policies } from './arbitrary.ts'
import { input } from './compiling.ts'

interface Recorded {
  /** Of the documents and policies: where they are others, the output may be another. */
  readonly inputs: string
  /** Of what each number of the compiler wrote. */
  readonly outputs: Readonly<Record<string, string>>
}

const file = join(import.meta.dir, '../../../gateway/golden/compiler.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded

const document: unknown = JSON.parse(
  readFileSync(join(import.meta.dir, '../../../gateway/golden/document.json'), 'utf8'),
)
const checks = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, 'block'>
const bound = policyOf({
  positive: { projectId: 'p', version: 'latest', mode: 'block', checks, stripPrefix: null },
  rules: [ruleOf({ expression: { field: 'http.route', op: 'eq', value: '/pets/{id}' } })],
  exceptions: [exceptionOf({ scope: { route: '/pets', path: null, method: 'GET', field: 'query:tag' } })],
})
const environment = { id: 'e1', slug: 'production', hostnames: ['api.example.com'], basePaths: ['/v1'] }
const drawn = fc.sample(fc.tuple(policies, documents), { seed: 37, numRuns: 40 })
const inputs: readonly CompileInput[] = dialectNames.flatMap((dialect) => [
  input(bound, { dialect, document, environment }),
  // Every kind of constraint, and a table of many operations.
  input(bound, { dialect, document: proofDocument }),
  input(bound, { dialect, document: costDocument(30), environment }),
  ...drawn.map(([policy, drawnDocument]) => input(policy, { dialect, document: drawnDocument, environment })),
])
const digestOf = (values: readonly unknown[]): string => sha256Of(values.map((it) => JSON.stringify(it)).join('\n'))

/** What the next record is; a number keeps its output, unless it is written of other inputs. */
function recordOf({ inputs: of, outputs }: Recorded, now: { readonly of: string; readonly output: string }): Recorded {
  const known = outputs[String(compilerVersion)]
  if (of === now.of && known !== undefined && known !== now.output)
    throw new Error('The compiler writes something else: raise compilerVersion in src/gateway/compile/version.ts.')
  const older = Object.entries(outputs).filter(([number]) => Number(number) < compilerVersion)
  return { inputs: now.of, outputs: Object.fromEntries([...older, [String(compilerVersion), now.output]]) }
}

test('the compiler has another number where it writes something else', () => {
  const now = { of: digestOf(inputs), output: digestOf(inputs.map((it) => compileRelease(it))) }
  const isUpdate = process.env['UPDATE_COMPILER'] === '1'
  const known = isUpdate ? recordOf(recorded, now) : recorded
  if (isUpdate) writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
  // Changed? Raise compilerVersion, then: UPDATE_COMPILER=1 npm test -- test/src/gateway/compile/version.test.ts
  expect({ number: compilerVersion, ...now }).toEqual({
    number: Math.max(...Object.keys(known.outputs).map(Number)),
    of: known.inputs,
    output: known.outputs[String(compilerVersion)] ?? 'not recorded',
  })
})

test('a number is written of one output only', () => {
  const at = String(compilerVersion)
  expect(() => recordOf({ inputs: 'i', outputs: { [at]: 'a' } }, { of: 'i', output: 'b' })).toThrow(
    'raise compilerVersion',
  )
  expect(recordOf({ inputs: 'i', outputs: { [at]: 'a' } }, { of: 'j', output: 'b' }).outputs).toEqual({ [at]: 'b' })
  expect(recordOf({ inputs: 'i', outputs: { 0: 'a' } }, { of: 'i', output: 'b' }).outputs).toEqual({
    0: 'a',
    [at]: 'b',
  })
})
