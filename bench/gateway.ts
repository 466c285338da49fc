/** Rules of gateways: how long a large document takes to become rules. */
import { positiveChecks, type PositiveCheck } from '../src/gateway-policy/model.ts'
import { coraza } from '../src/gateway/dialects/coraza.ts'
import { compilePositive } from '../src/gateway/positive/index.ts'
import { largeDocument } from './large-document.ts'
import { median, type Measurement } from './measure.ts'

const runs = 5

function timed(work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return median(times)
}

/** The rules of a document of 11.8 MB with every check, against reading and writing it as JSON. What engines do with rules: scripts/gateway-oracle.ts. */
export async function gatewayRules(): Promise<readonly Measurement[]> {
  const text = await largeDocument()
  const document: unknown = JSON.parse(text)
  const checks = Object.fromEntries(positiveChecks.map((it) => [it, 'block'])) as Record<PositiveCheck, 'block'>
  const positive = { projectId: 'bench', version: 'latest', mode: 'block', checks, stripPrefix: null } as const
  const reference = timed(() => JSON.stringify(JSON.parse(text)))
  const ours = timed(() =>
    compilePositive({ document, positive, dialect: coraza, basePaths: [], firstId: 30_000, schemaFolder: 'schemas' }),
  )
  return [
    {
      name: 'rules of a gateway for 11.8 MB',
      ours,
      reference,
      referenceName: 'JSON.parse and JSON.stringify of it',
      unit: 'ms',
      goal: '≤ 3,000 ms',
    },
  ]
}
