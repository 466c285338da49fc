import './theme.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeLinkToken } from './pages/link-token.ts'
import { queryClient } from './queries.ts'
import { router } from './router.tsx'

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
