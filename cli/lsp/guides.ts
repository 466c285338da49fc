/** Which style guide applies to which file, read once until a ruleset changes. */
import { dirname } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { findGuide, type ChosenGuide } from '../input/guides.ts'
import { isFile, type Key } from './store.ts'

type Around = Pick<Invocation, 'cwd' | 'io' | 'env' | 'signal' | 'globals' | 'connection'>

/** The guide of a file, or why it cannot be used. */
export type FoundGuide = { readonly guide: ChosenGuide } | { readonly refused: string }

export interface GuideChoice {
  /** The guide for every file; null where the one of its folder applies. */
  readonly name: string | null
  readonly runsFunctions: boolean
  /** The folder of what is not a file. */
  readonly folder: string
}

/** Finds guides by the folder of a file. */
export class Guides {
  readonly #around: Around
  readonly #known = new Map<string, Promise<FoundGuide>>()
  choice: GuideChoice

  constructor(around: Around, choice: GuideChoice) {
    this.#around = around
    this.choice = choice
  }

  /** The guide of a file, as "svc lint" in its folder would choose it. */
  of(key: Key): Promise<FoundGuide> {
    const { name, runsFunctions, folder } = this.choice
    // A guide that is named is found from the folder of the editor.
    const cwd = name === null && isFile(key) ? dirname(key) : folder
    let found = this.#known.get(cwd)
    if (found === undefined) {
      const around = { ...this.#around, cwd }
      found = findGuide(name ?? undefined, around, { runsFunctions, absolute: true }).then(
        (guide): FoundGuide => ({ guide }),
        (error: unknown): FoundGuide => {
          if (!(error instanceof SvcError)) throw error
          return { refused: error.message }
        },
      )
      this.#known.set(cwd, found)
    }
    return found
  }

  /** Reads every guide again when it is asked for next. */
  forget(): void {
    this.#known.clear()
  }
}
