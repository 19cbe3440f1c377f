/** All operations that the documents describe. */

import { DASHBOARD_OTHERS } from "#api/openapi/dashboard.ts";
import { dashboardOperationsOf, operationsOf } from "#api/openapi/operations.ts";
import { describedRoutes } from "#api/resources.ts";
import { OPERATIONS as OTHERS } from "#contract/operations.ts";

export const OPERATIONS = operationsOf(describedRoutes(), OTHERS);
export const DASHBOARD_OPERATIONS = dashboardOperationsOf(describedRoutes(), DASHBOARD_OTHERS);
