import './theme.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeLinkToken } from './features/sign-in/link-token.ts'
import { router } from './router.tsx'
import { queryClient } from './query-client.ts'

takeLinkToken()
const target = document.getElementById('app')
if (target)
  createRoot(target).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
