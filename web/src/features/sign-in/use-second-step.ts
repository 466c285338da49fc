import { useState } from 'react'
import type { FactorMethod } from '../../../../src/api/second-factors.ts'
import { SvcError } from '../../../../src/errors.ts'

/** A sign-in whose password was right and that waits for the second factor. */
export interface WaitingSignIn {
  readonly ticket: string
  readonly methods: readonly FactorMethod[]
}

/**
 * What a page of signing in shows and does about a second factor.
 * @returns `waiting`: show `SecondStep` with it; `begin` runs a sign-in and says whether it is finished
 */
export const useSecondStep = () => {
  const [waiting, setWaiting] = useState<WaitingSignIn | null>(null)
  const begin = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'second-factor-required') throw error
      setWaiting(error.detail as unknown as WaitingSignIn)
      return false
    }
  }
  return { waiting, begin, cancel: () => setWaiting(null) }
}
