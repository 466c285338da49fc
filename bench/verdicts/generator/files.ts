/** The files of a case. */
import { stringify } from 'yaml'
import { isCounterexample, type Json, type MadeCase } from '../case.ts'
import { print } from './print.ts'

/** The text of each file below the folder of the cases, by path. A head in YAML is one that says the same as a base in JSON. */
export function filesOf(made: MadeCase): ReadonlyMap<string, string> {
  const { base, head, id, track, direction, verdict, question, certificate, source } = made
  const shown = isCounterexample(certificate) ? { ...certificate } : { ...certificate }
  const described = {
    id,
    track,
    direction,
    verdict,
    ...(question === undefined ? {} : { question }),
    certificate: shown,
    source,
  }
  const folder = `${track}/${id}`
  const isYaml = source.includes('head in YAML')
  return new Map([
    [`${folder}/base.json`, print(base)],
    isYaml ? [`${folder}/head.yaml`, stringify(head)] : [`${folder}/head.json`, print(head)],
    [`${folder}/case.json`, print(described as unknown as Json)],
  ])
}
