import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from './states.tsx'

/** A component whose code is fetched when it is first drawn. `what` is what the reader waits for meanwhile. */
export const later = <P extends object>(what: string, read: () => Promise<ComponentType<P>>) => {
  const Inner = lazy(async () => ({ default: await read() }))
  return (props: P) => (
    <Suspense fallback={<Loading what={what} />}>
      <Inner {...props} />
    </Suspense>
  )
}
