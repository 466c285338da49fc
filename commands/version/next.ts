import { Type } from '@sinclair/typebox'
import { command } from '../../cli/declare.ts'
import { compareSides } from '../../cli/diff/compare.ts'
import { comparingOptions } from '../../cli/diff/options.ts'
import { storedName } from '../../cli/input/document-side.ts'
import { outcomeOf, outcomes } from '../../src/diff/conclusion.ts'
import { nextVersion, stepOf } from '../../src/diff/next-version.ts'
import { SvcError } from '../../src/errors.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const { profile, config, severity, ignore, 'as-of': asOf, mode } = comparingOptions

/** A word that is nothing else names a project, whose latest published version is meant. */
const baseOf = async (name: string, cwd: string): Promise<string> =>
  /[:/\\@]|^-$/.test(name) || existsSync(resolve(cwd, name)) || (await storedName(name, cwd)) !== null
    ? name
    : `${name}@latest`

export default command({
  summary: 'Print the next version label that semantic versioning requires',
  description:
    'Compares the older side with the newer one and applies Semantic Versioning to the version of the older side: a breaking or undecided change is a major step, a compatible one a minor step, an edit of documentation a patch. Below 1.0.0 a breaking change is a minor step and a compatible one a patch.',
  examples: ['svc version next payments openapi.yaml', 'svc version next main:openapi.yaml openapi.yaml'],
  arguments: [
    {
      name: 'base',
      required: true,
      summary: 'a project (its latest published version), or an older side as in "svc diff"',
    },
    { name: 'head', required: true, summary: 'the newer side' },
  ],
  options: { profile, config, severity, ignore, 'as-of': asOf, mode },
  endsAtOnce: true,
  dataSchema: Type.Object({
    base: Type.String(),
    head: Type.String(),
    current: Type.String(),
    next: Type.String(),
    step: Type.String({ enum: ['major', 'minor', 'patch', 'none'] }),
    outcome: Type.String({ enum: [...outcomes] }),
  }),
  run: async (invocation) => {
    const base = await baseOf(invocation.args.base, invocation.cwd)
    const compared = await compareSides(invocation, base)
    const current = compared.versions.base ?? compared.base.split('@')[1] ?? ''
    const step = stepOf(compared.result)
    const next = nextVersion(current, step)
    if (next === null)
      throw new SvcError('document-invalid', {
        reason: `info.version of ${compared.base} is "${current}", which is not a semantic version`,
      })
    return {
      data: { base: compared.base, head: compared.head, current, next, step, outcome: outcomeOf(compared.result) },
      text: `${next}\n`,
    }
  },
})
