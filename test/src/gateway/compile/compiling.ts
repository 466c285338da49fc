/** Compiling policies in tests. */
import { compileRelease, type CompileInput, type Engine } from '../../../../src/gateway/compile/index.ts'
import type { Policy } from '../../../../src/gateway/policy/model.ts'

export const input = (policy: Policy, it: Partial<CompileInput> = {}): CompileInput => ({
  policy,
  policyVersion: 3,
  environment: { id: 'e1', slug: 'production', hostnames: [], basePaths: [] },
  document: null,
  engine: 'coraza',
  releaseId: 'r-1',
  crs: 'bundled',
  ...it,
})
export const compile = (policy: Policy, engine: Engine = 'coraza') => compileRelease(input(policy, { engine }))
export const settingOf = (policy: Policy, setting: string, engine: Engine = 'coraza') =>
  compile(policy, engine).settings.find((it) => it.setting === setting)
