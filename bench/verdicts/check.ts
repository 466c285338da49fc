/**
 * Checks every certificate: `bun check.ts [--cases FOLDER] [--samples NUMBER] [--only TEXT] [--without-python]`. Says which validators ran and exits
 * with 1 where a certificate does not prove its label.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCases } from './case.ts'
import { checkCase, documentsOf } from './checker/check.ts'
import { askPython } from './checker/validators.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: join(import.meta.dir, 'cases') },
    samples: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
    'without-python': { type: 'boolean' },
  },
})
const samples = Number(values.samples)
if (!Number.isInteger(samples) || samples < 1) {
  console.error(`--samples takes a whole number from 1 on, not "${values.samples}".`)
  process.exit(2)
}

const cases = readCases(values.cases).filter(({ track, id }) => `${track}/${id}`.includes(values.only))
const checked = cases.map((made) => checkCase(made, documentsOf(made), samples))
const wrong = checked.filter(({ problem }) => problem !== null)
for (const { id, problem } of wrong) console.log(`${id}: ${problem}`)

const judgements = checked.flatMap((result) => result.judgements.map((judgement) => ({ id: result.id, judgement })))
const confirmed = values['without-python'] === true ? null : askPython(judgements.map(({ judgement }) => judgement))
const doubted = judgements.filter(({ judgement }, at) => confirmed !== null && confirmed[at] !== judgement.isValid)
for (const { id, judgement } of doubted)
  console.log(`${id}: jsonschema and ajv disagree on ${JSON.stringify(judgement.value)}`)

const sum = (of: 'drawn' | 'accepted') => checked.reduce((total, result) => total + result[of], 0)
console.log(
  `${cases.length} cases, ${wrong.length} wrong; ${sum('drawn')} instances drawn, ${sum('accepted')} of them valid for the sender`,
)
console.log(
  `validators: ajv${confirmed === null ? '; Python with jsonschema did not run' : `, jsonschema (${judgements.length} values, ${doubted.length} in dispute)`}`,
)
process.exit(wrong.length + doubted.length > 0 ? 1 : 0)
