import { QueryClient } from '@tanstack/react-query'
import { SvcError } from '../../src/errors.ts'

/** Rows of one page of a list. */
export const pageSize = 50
/** The most rows the service returns at once: long lists are read in pieces of this size. */
export const pieceSize = 200

/** Retries a query only after a failed transport: a refusal stays a refusal. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may run on this very machine: it is asked whether or not the browser believes to be online.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      retry: (failures, error) => error instanceof SvcError && error.code === 'transport-failed' && failures < 2,
    },
  },
})
