/** Compiling policies in tests. */
import { compileRelease, type CompileInput } from '../../../../src/gateway/compile/index.ts'
import { Templates } from '../../../../src/gateway/compile/template.ts'
import type { DialectName } from '../../../../src/gateway/dialects/index.ts'
import type { Policy } from '../../../../src/gateway-policy/model.ts'

export const input = (policy: Policy, input: Partial<CompileInput> = {}): CompileInput => ({
  policy,
  policyVersion: 3,
  environment: { id: 'e1', slug: 'production', hostnames: [], basePaths: [] },
  document: null,
  dialect: 'coraza',
  releaseId: 'r-1',
  crs: 'bundled',
  ...input,
})
export const compile = (policy: Policy, dialect: DialectName = 'coraza') => compileRelease(input(policy, { dialect }))
export const settingOf = (policy: Policy, setting: string, dialect: DialectName = 'coraza') =>
  compile(policy, dialect).settings.find((it) => it.setting === setting)

/** Of a release without a document. */
export const noDocument = new Templates(null, [])
/** A document with these paths, each with an operation. */
export const documentOf = (...paths: string[]) =>
  new Templates(
    paths.map((route) => ({ method: 'GET', route, pattern: route.replaceAll(/\{[^}]*\}/g, '[^/]+') })),
    [],
  )
