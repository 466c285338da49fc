/** Atoms of messages: one object of OpenAPI or Swagger that changes. */
import type { MadeCase } from '../case.ts'
import { samples } from './keyword-atoms.ts'
import { annotationAtoms } from './annotation-atoms.ts'
import { certificateOf, type Templates } from './message-atom.ts'
import { parameterAtoms } from './parameter-atoms.ts'
import { operationAtoms } from './operation-atoms.ts'
import { Random } from './random.ts'
import { requestBodyAtoms } from './request-body-atoms.ts'
import { responseAtoms } from './response-atoms.ts'
import { securityAtoms } from './security-atoms.ts'
import { styleAtoms } from './style-atoms.ts'
import { swaggerAtoms } from './swagger-atoms.ts'
import { versionAtoms } from './version-atoms.ts'

const sets: readonly Templates[] = [
  parameterAtoms,
  styleAtoms,
  requestBodyAtoms,
  responseAtoms,
  operationAtoms,
  securityAtoms,
  annotationAtoms,
  versionAtoms,
  swaggerAtoms,
]

/** The atoms of messages, each in the versions that have its field. */
export function messageAtoms(seed: string): MadeCase[] {
  return sets.flatMap((templates) =>
    Object.entries(templates).flatMap(([name, { field, versions, make }]) =>
      versions.map((version): MadeCase => {
        const atom = make(version, new Random(`${seed}/${version}/${name}`))
        const { direction, verdict, base, head, question } = atom
        return {
          id: `${version.replace('.', '-')}-${name}`,
          track: 'atoms',
          direction,
          verdict,
          ...(question === undefined ? {} : { question }),
          certificate: certificateOf(atom, samples),
          source: `generator, ${field} of OpenAPI ${version}, seed ${seed}`,
          base,
          head,
        }
      }),
    ),
  )
}
