// openapi-generator's go client. Prints what it was answered.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	"crossrate.example/clients/openapi"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Args[1]}}
	client := openapi.NewAPIClient(configuration)

	latest, _, err := client.RatesAPI.GetLatest(ctx).Base("USD").Symbols("EUR, GBP").Execute()
	check(err)
	converted, _, err := client.ConversionAPI.ConvertPair(ctx, "USD", "EUR").Amount("100.50").Date("2026-04-10").Execute()
	check(err)
	batch, _, err := client.ConversionAPI.ConvertPairs(ctx).ConvertBatchRequest(openapi.ConvertBatchRequest{
		From:  "USD",
		Pairs: [][]interface{}{{"EUR", 100}, {"GBP", "49.90"}},
	}).Execute()
	check(err)
	rows, _, err := client.SeriesAPI.GetRange(ctx).Symbols("EUR,GBP").StartDate("2026-04-01").EndDate("2026-04-10").Execute()
	check(err)
	_, _, refused := client.ConversionAPI.ConvertPair(ctx, "USD", "XYZ").Execute()
	var fault *openapi.GenericOpenAPIError
	if !errors.As(refused, &fault) {
		log.Fatalf("not refused: %v", refused)
	}

	amounts := []float64{}
	for _, item := range batch.Conversions {
		amounts = append(amounts, item.Converted)
	}
	first := rows.RangeResponse.Data[0]
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"base":      latest.Base,
		"eur":       latest.Rates["EUR"],
		"updated":   latest.DataUpdatedAt.Format(time.DateOnly),
		"converted": converted.Converted,
		"batch":     amounts,
		"rows":      len(rows.RangeResponse.Data),
		"first":     first.GetDate(),
		"firstEur":  first.GetRates()["EUR"],
		"refused":   fault.Model().(openapi.ErrorEnvelope).Code,
	}))
}
