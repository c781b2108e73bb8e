export * from '@orderbeacon/sdk/client';
