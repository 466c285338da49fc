/** Where svc decides: who may do what, which gates pass, what a verdict is, what a process ends with. */
export interface Target {
  readonly file: string
  /** The tests nearest to it. */
  readonly tests: readonly string[]
}

const auth = ['test/server/auth', 'test/server/identity', 'test/server/authorization.test.ts']
const versions = ['test/server/versions', 'test/server/replicas.test.ts']
const diff = ['test/src/diff']

export const targets: readonly Target[] = [
  { file: 'server/auth/authenticate.ts', tests: auth },
  { file: 'server/auth/authorize.ts', tests: auth },
  { file: 'server/auth/session.ts', tests: auth },
  { file: 'server/auth/budget.ts', tests: auth },
  { file: 'server/versions/gates.ts', tests: versions },
  { file: 'server/versions/publish.ts', tests: versions },
  { file: 'src/lint/grade.ts', tests: ['test/src/lint/grade.test.ts', 'test/src/lint'] },
  { file: 'src/diff/conclude.ts', tests: diff },
  { file: 'cli/declare.ts', tests: ['test/cli'] },
]
