/** The engines, in a worker: a document that takes long stops nothing else, and can be given up. */
import { engineReady } from '../../src/host/engine.ts'
import { compareTexts } from '../../src/playground/compare.ts'
import { containsText } from '../../src/playground/contains.ts'
import { bundleTexts, convertText, isTarget } from '../../src/playground/convert.ts'
import { fixText } from '../../src/playground/fix.ts'
import { lintText } from '../../src/playground/lint.ts'
import type { Question, Said, TaskName, Tasks } from './protocol.ts'

type Perform = { [Name in TaskName]: (take: Tasks[Name]['take']) => Promise<Tasks[Name]['give']> | Tasks[Name]['give'] }

const perform: Perform = {
  lint: ({ text, ...chosen }) => lintText(text, chosen),
  compare: ({ base, head, asOf }) => compareTexts(base, head, asOf),
  convert: ({ text, to }) => {
    if (!isTarget(to)) throw new Error(`svc does not convert to "${to}".`)
    return convertText({ name: 'document', text }, to)
  },
  bundle: ({ files: [first, ...others] }) => {
    if (first === undefined) throw new Error('There is no file to bundle.')
    return bundleTexts(first, others)
  },
  fix: ({ text }) => fixText(text),
  contains: ({ a, b }) => containsText(a, b),
}

const say = (said: Said): void => self.postMessage(said)

async function answer({ id, task, take }: Question): Promise<void> {
  try {
    // The name of a task decides the type of what it takes, which the compiler cannot follow through a message.
    const run = perform[task] as (given: unknown) => unknown
    say({ id, give: await run(take) })
  } catch (error) {
    say({ id, refused: error instanceof Error ? error.message : String(error) })
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Question>) => void answer(data))

// A worker that is no module cannot wait on its own: browsers refuse modules from pages that are files.
void engineReady.then(() => say({ ready: true }))
